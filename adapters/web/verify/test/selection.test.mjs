import assert from 'node:assert/strict'
import test from 'node:test'
import { Selection } from '../dist/index.js'

/** Random numbers of 0 … 2^32-1, the same each time (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) >>> 0
    let t = seed
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
}

/** A coin flip by its draw: the lower half loses. */
const flip = (draw, game = 'coinflip') => ({ game, multiplier: draw >= 2 ** 31 ? 1.98 : 0, variance: 0.9801 })
const rare = (draw, game = 'dice') => ({ game, multiplier: draw >= 2 ** 32 * 0.98 ? 49.5 : 0, variance: 48.02 })

/** The findings after a number of rounds, of which a house declines some. */
function played(rounds, seed, bet, declines) {
  const next = random(seed)
  const selection = new Selection()
  for (let line = 1; line <= rounds; line++) {
    const draw = next()
    const one = bet(draw)
    if (declines(one, next() / 2 ** 32)) selection.add({ line, firstDraw: draw, bets: [one] })
  }
  return selection
}

test('a house that refuses whatever was drawn is not accused', () => {
  for (let seed = 0; seed < 300; seed++) {
    for (const bet of [flip, rare]) assert.deepEqual(played(500, seed, bet, (_, chance) => chance < 0.3).findings(), [])
  }
})

test('an honest purse is rarely multiplied by a hundred', () => {
  let grown = 0
  for (let seed = 0; seed < 1000; seed++) {
    const next = random(seed)
    const selection = new Selection()
    for (let line = 0; line < 100; line++) {
      const draw = next()
      selection.add({ line, firstDraw: draw, bets: [flip(draw)] })
    }
    const [{ first }] = [...selection.games.values()]
    if (first.most > Math.log(100)) grown++
  }
  assert.ok(grown <= 20, `${grown} of 1000`)
})

test('a house that refuses winners is found', () => {
  const some = played(2000, 1, flip, ({ multiplier }, chance) => chance < (multiplier > 0 ? 0.3 : 0.1)).findings()
  assert.ok(some.some(({ game, test }) => game === 'coinflip' && test === 'return of refused bets'))
  const high = played(1500, 2, rare, ({ multiplier }) => multiplier > 3).findings()
  assert.ok(high.some(({ game, test }) => game === 'dice' && test === 'return of refused bets'))
})

test('bets that are refused again have a test of their own', () => {
  const next = random(3)
  const selection = new Selection()
  for (let line = 1; line <= 100; line++) {
    const draw = next()
    selection.add({ line, firstDraw: draw, bets: [{ game: 'dice', multiplier: 0.99, variance: 0.01 }, { ...flip(2 ** 31), game: 'coinflip' }] })
  }
  const found = selection.findings()
  assert.deepEqual([...new Set(found.map(({ test }) => test))], ['return of bets that were refused again'])
  assert.deepEqual(found.map(({ game }) => game).sort(), ['all games', 'coinflip'])
})

test('draws that are picked are found where returns say nothing', () => {
  const alone = (draw) => ({ game: 'mines', multiplier: 0.99, variance: 1, draw })
  const found = played(600, 4, alone, ({ draw }) => draw < 2 ** 31).findings()
  assert.deepEqual([...new Set(found.map(({ test }) => test))], ['first draws of refused bets'])
})

test('each game with refused bets has three tests, and all of them together', () => {
  const selection = new Selection()
  assert.equal(selection.tests, 0)
  selection.add({ line: 1, firstDraw: 0, bets: [flip(0)] })
  selection.add({ line: 2, firstDraw: 0, bets: [rare(0)] })
  assert.equal(selection.tests, 9)
})
