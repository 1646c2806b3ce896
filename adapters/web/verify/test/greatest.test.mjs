import assert from 'node:assert/strict'
import test from 'node:test'
import { games, parse, Draws, Decimal } from '../dist/index.js'
import { greatestAtOnce, greatestBySteps } from '../dist/greatest.js'

const CONFIGS = {
  'dice/1': ['{"target":50.00,"direction":"over"}', '{"target":2.5,"direction":"under"}'],
  'limbo/1': ['{"target":2}'],
  'crash/1': ['{"cashout":1.5}'],
  'coinflip/1': ['{"side":"tails","flips":2}', '{"side":"heads","flips":1}'],
  'mines/1': ['{"mines":3,"picks":[0,24]}', '{"mines":24,"picks":[3]}'],
  'plinko/1': ['{"rows":8,"risk":"low"}'],
  'keno/1': ['{"picks":[1,2],"risk":"low"}', '{"picks":[7],"risk":"high"}'],
  'wheel/1': ['{"segments":10,"risk":"medium"}'],
  'roulette/1': ['{"bets":[{"type":"straight","numbers":[17],"amount":1000},{"type":"split","numbers":[32,35],"amount":2000},{"type":"black","amount":7000}]}'],
  'baccarat/1': ['{"bets":[{"on":"banker","amount":9000},{"on":"tie","amount":1000}]}', '{"bets":[{"on":"player","amount":1},{"on":"banker","amount":1}]}'],
  'dragontower/1': ['{"difficulty":"hard","picks":[1,0]}'],
  'hilo/1': ['{"guesses":["higher"]}', '{"guesses":["lower","skip"]}'],
}
const value = ({ exact, multiplier }) => (exact === undefined ? Number(multiplier.text) : Number(exact.numerator) / Number(exact.denominator))

test('no round pays more than the greatest multiplier, and some pay it', () => {
  for (const [rules, configs] of Object.entries(CONFIGS)) {
    for (const config of configs) {
      const known = games.get(rules)
      const greatest = greatestAtOnce(known, parse(config))
      const most = Number(greatest.numerator) / Number(greatest.denominator)
      let seen = 0
      for (let nonce = 0; nonce < 3000; nonce++) seen = Math.max(seen, value(known.play(parse(config), new Draws('0'.repeat(64), 'seed', BigInt(nonce)))))
      assert.ok(seen <= most * (1 + 1e-12), `${rules} ${config}: ${seen} was paid, ${most} is the greatest`)
      assert.ok(seen >= most * (1 - 1e-12), `${rules} ${config}: ${most} is the greatest, ${seen} was paid`)
    }
  }
})

test('guesses on the best path of ranks pay the most', () => {
  const greatest = (guesses) => greatestAtOnce(games.get('hilo/1'), { guesses })
  const isRatio = (is, numerator, denominator) => assert.equal(is.numerator * denominator, is.denominator * numerator)
  isRatio(greatest(['higher', 'higher']), 99n * 169n, 100n) // aces alone
  isRatio(greatest(['lower']), 99n * 13n, 100n) // a 2
  isRatio(greatest(['higher', 'skip', 'lower']), 99n * 169n, 100n) // an ace, and after the skip a 2
  isRatio(greatest(['higher', 'lower']), 99n * 169n, 100n * 12n) // an ace, then 12 ranks are lower
})

test('a stepped round can pay the last step within its bound', () => {
  const by = (rules, asked, wager, maxPayout) => greatestBySteps(games.get(rules), parse(asked), wager, maxPayout)
  assert.equal(by('mines/1', '{"mines":3,"maxMultiplier":100}', 200_000_000n, 100_000_000_000n).decimal.text, '65.0571')
  assert.equal(by('mines/1', '{"mines":3}', 9_000_000_000n, 100_000_000_000n).decimal.text, '10.35')
  assert.equal(by('mines/1', '{"mines":24}', 9_000_000_000n, 100_000_000_000n), null)
  assert.equal(by('dragontower/1', '{"difficulty":"master","maxMultiplier":200}', 300_000_000n, 100_000_000_000n).decimal.text, '63.36')
  assert.equal(by('hilo/1', '{}', 1_000_000_000n, 100_000_000_000n).decimal.text, '50')
  assert.equal(by('videopoker/1', '{}', 100_000_000n, 100_000_000_000n).decimal.text, '800')
  assert.equal(by('blackjack/1', '{}', 100_000_000_000n, 100_000_000_000n), null)
  assert.ok(Decimal.of(8n).equals(by('blackjack/1', '{}', 1n, 8n).decimal))
})
