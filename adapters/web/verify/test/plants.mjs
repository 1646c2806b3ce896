// Plants single cheats in an honest capture, and prints a line of JSON for each: its name, the checks
// that have to find it, and the checks that did. It also compares the greatest multipliers of the
// rules with the published ones.
//
//     node test/plants.mjs CAPTURE
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { greatestAtOnce } from '../dist/greatest.js'
import { checkCapture, Decimal, games, parse, recompute, stringify } from '../dist/index.js'

const read = (file) => readFileSync(file, 'utf8').trimEnd().split('\n').map(parse)
const number = (value) => Decimal.of(BigInt(value))
const plus = (value, by) => number(BigInt(value.text) + BigInt(by))
const digestOf = (lines) => createHash('sha256').update(lines.map((line) => line + '\n').join('')).digest('hex')

/** The lines as text, with the digest of the end. */
function sealed(lines) {
  const texts = lines.slice(0, -1).map(stringify)
  const end = lines.at(-1)
  return [...texts, stringify({ ...end, end: { ...end.end, sha256: digestOf(texts) } })]
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const signature = (text) => sign(null, Buffer.from(text), privateKey).toString('base64')
const signed = (statement) => ({ statement, kid: 'own', signature: signature(statement) })

/** The same capture signed by a key of this program. */
function resigned(lines) {
  const copy = structured(lines)
  for (const line of copy) {
    const { answered } = line
    if (line.line === 'keys') answered.keys = [{ use: 'receipts', kid: 'own', publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), signs: true }]
    if (answered?.receipt?.text !== undefined) Object.assign(answered.receipt, { kid: 'own', signature: signature(answered.receipt.text) })
    if (answered?.receipt?.statement !== undefined) answered.receipt = signed(answered.receipt.statement)
    if (answered?.signed !== undefined) answered.signed = signed(answered.signed.statement)
  }
  return copy
}

/** The same capture of a service without keys. */
function unsigned(lines) {
  const copy = structured(lines).filter(({ line }) => line !== 'solvency')
  for (const { line, answered } of copy) {
    if (line === 'keys') answered.keys = []
    delete answered?.receipt
  }
  return copy
}

function structured(lines) {
  return lines.map((line) => parse(stringify(line)))
}

/** A capture whose lines are changed. */
class Copy {
  constructor(lines) {
    this.lines = structured(lines)
  }

  of(kind, holds = () => true) {
    const found = this.lines.find((line) => line.line === kind && holds(line))
    if (found === undefined) throw new Error(`the capture has no line ${kind} for this plant`)
    return found
  }

  last(kind, holds = () => true) {
    return this.lines.findLast((line) => line.line === kind && holds(line))
  }

  /** A round that is decided in one call, and the same in the history. */
  both(change, holds = () => true) {
    const line = this.of('round', ({ answered }) => answered.round.outcome !== null && holds(answered.round))
    const { id } = line.answered.round
    change(line.answered.round)
    change(this.of('kept', ({ answered }) => answered.round.id === id).answered.round)
    return line
  }

  /** The server seed that decided a round. */
  seedOf({ id }) {
    return this.of('kept', ({ answered }) => answered.round.id === id).answered.round.serverSeed
  }

  refusal(change, holds = () => true) {
    const line = this.of('refused', ({ answered }) => answered.receipt !== undefined && holds(answered))
    line.answered.receipt = signed(change(line.answered.receipt.statement))
    return line
  }
}

const flipped = (hex) => (hex[0] === '0' ? '1' : '0') + hex.slice(1)
const isOpen = ({ answered }) => answered.round.status === 'open'
const ofGame = (game) => (line) => line.asked.gameType === game && isOpen(line)

// What a house does that signs nothing.
const UNSIGNED = {
  'rules: a title changes': ['rules', (c) => { c.last('rules').answered.games[0].title = 'Another' }],
  'rules: a round is by other rules': ['rules', (c) => c.both((round) => { round.rules = 'dice/9' }, ({ gameType }) => gameType === 'dice')],
  'commitment: another seed is revealed': ['commitment', (c) => { const { revealed } = c.of('rotation').answered; revealed.serverSeed = flipped(revealed.serverSeed) }],
  'commitment: the next pair is another one': ['commitment', (c) => { const line = c.of('seed'); line.answered.nextServerSeedHash = flipped(line.answered.nextServerSeedHash) }],
  'commitment: a pair is not revealed': ['commitment', (c) => {
    const last = c.last('rotation')
    c.lines = c.lines.filter((line) => line !== last)
  }],
  'client seed: the house chooses it': ['client seed', (c) => { c.of('rotation').clientSeed = 'my own' }, ['bound', 'client seed', 'outcome']],
  'client seed: the pair is repeated': ['client seed', (c) => c.both((round) => { round.clientSeedSource = 'repeated' })],
  'nonce: the reveal counts one more': ['nonce', (c) => { const { revealed } = c.last('rotation').answered; revealed.rounds = plus(revealed.rounds, 1) }],
  'nonce: a round comes twice': ['nonce', (c) => {
    const first = c.of('round')
    const second = c.of('round', ({ player }) => player.text !== first.player.text)
    const { id } = second.answered.round
    c.of('kept', ({ answered }) => answered.round.id === id).answered.round.id = first.answered.round.id
    second.answered.round.id = first.answered.round.id
  }],
  'nonce: a round is left out': ['nonce', (c) => {
    const follows = ({ nonce, serverSeedHash }) => c.lines.some(({ line, answered }) => (line === 'round' || line === 'open') &&
      answered.round.serverSeedHash === serverSeedHash && Number(answered.round.nonce.text) === Number(nonce.text) + 1)
    const left = c.of('round', ({ answered: { round } }) => follows(round) && round.payout.text !== round.wager.text) // else no balance tells
    const { id } = left.answered.round
    c.lines.at(-1).end.rounds = plus(c.lines.at(-1).end.rounds, -1)
    c.lines = c.lines.filter((line) => line !== left && !(line.line === 'kept' && line.answered.round.id === id))
  }, ['balance', 'nonce']],
  'bound: a round of another client seed': ['bound', (c) => c.both((round) => { round.clientSeed = 'another' })],
  'bound: a round of another commitment': ['bound', (c) => {
    const { asked, answered } = c.both((round) => { round.serverSeedHash = flipped(round.serverSeedHash) })
    if (asked.expectedServerSeedHash !== undefined) asked.expectedServerSeedHash = answered.round.serverSeedHash
  }],
  'bound: the config changes while a round is open': ['bound', (c) => { c.of('step', isOpen).answered.round.config = { other: number(1) } }, ['bound', 'outcome']],
  'hidden: a seed is shown early': ['hidden', (c) => { const { round } = c.of('round').answered; round.serverSeed = c.seedOf(round) }],
  'hidden: a seed is shown while a round is open': ['hidden', (c) => { const { round } = c.of('open', isOpen).answered; round.serverSeed = c.seedOf(round) }],
  'asked: another wager': ['asked', (c) => { const { asked } = c.of('round', ({ asked }) => asked.gameType === 'dice'); asked.wager = plus(asked.wager, 1) }],
  'asked: another config': ['asked', (c) => { c.of('round', ({ asked }) => asked.gameType === 'dice').asked.config.target = Decimal.read('51.25') }],
  'asked: another token': ['asked', (c) => { c.of('round').asked.token = 'another' }],
  'asked: another default': ['asked', (c) => { const line = c.of('round', ({ asked }) => asked.gameType === 'limbo' && asked.config.target === undefined); line.asked.config = { target: Decimal.read('3') } }],
  'asked: another nonce than expected': ['asked', (c) => { const { asked, answered } = c.of('round'); asked.expectedNonce = plus(answered.round.nonce, 1) }],
  'asked: another pair than expected': ['asked', (c) => { const { asked, answered } = c.of('round'); asked.expectedServerSeedHash = flipped(answered.round.serverSeedHash) }],
  'asked: another action': ['asked', (c) => { c.of('step', ({ asked }) => asked.gameType === 'blackjack').asked.actions[0] = { type: 'surrender' } }],
  'asked: a bound by another maxPayout': ['asked', (c) => {
    const open = c.of('open', ofGame('blackjack')).answered.round
    for (const { answered } of c.lines) if (answered?.round?.id === open.id && answered.round.maxPayout) answered.round.maxPayout = plus(answered.round.maxPayout, 1)
  }],
  'asked: a lower bound than the published one': ['asked', (c) => { c.of('open', ({ asked, answered }) => answered.round.status === 'open' && asked.config.maxMultiplier !== undefined).asked.config.maxMultiplier = Decimal.read('3.5') }],
  'time: a round is backdated': ['time', (c) => c.both((round) => { round.createdAt = plus(round.createdAt, -181_000) })],
  'outcome: another roll': ['outcome', (c) => c.both((round) => { round.outcome.roll = Decimal.read(round.outcome.roll.text === '1.00' ? '2.00' : '1.00') }, ({ gameType }) => gameType === 'dice')],
  'outcome: a multiplier rounded down': ['outcome', (c) => c.both((round) => { round.multiplier = Decimal.read('1.0001') }, ({ multiplier }) => multiplier.text !== '0')],
  'outcome: another card shown': ['outcome', (c) => { c.of('open', ofGame('blackjack')).answered.round.shown.dealer[0] = '??' }],
  'outcome: a choice withheld': ['outcome', (c) => { c.of('open', ofGame('blackjack')).answered.round.choices.pop() }],
  'outcome: a tile withheld': ['outcome', (c) => { c.of('open', ofGame('mines')).answered.round.choices.find(({ fields }) => fields).fields.properties.tile.enum.pop() }],
  'outcome: another prize': ['outcome', (c) => { c.of('open', ofGame('hilo')).answered.round.choices.find(({ action }) => action.type === 'cashOut').prize = Decimal.read('0.98') }],
  'outcome: another prize of a step': ['outcome', (c) => { c.of('open', ofGame('dragontower')).answered.round.choices.find(({ action }) => action.type === 'climb').prize = Decimal.read('1.01') }],
  'void: a round is void': ['void', (c) => c.both((round) => { round.outcome = null })],
  'history: another outcome': ['history', (c) => { c.of('kept').answered.round.outcome = { other: true } }],
  'history: a round becomes void': ['history', (c) => { c.of('kept').answered.round.outcome = null }],
  'history: a round is missing': ['history', (c) => { const kept = c.of('kept'); c.lines = c.lines.filter((line) => line !== kept) }],
  'history: another balance': ['history', (c) => { const { round } = c.of('kept').answered; round.balanceAfter = plus(round.balanceAfter, 1) }],
  'balance: it jumps': ['balance', (c) => { const { answered } = c.of('open', isOpen); answered.balance = plus(answered.balance, 1) }],
  'balance: a fee between rounds': ['balance', (c) => { const line = c.last('balance'); line.answered.balances.find(({ token }) => token === c.lines[0].capture.token).balance = number(1) }],
  'form: another count of rounds': ['form', (c) => { c.lines.at(-1).end.rounds = number(1) }],
  'form: an unknown line': ['form', (c) => { c.lines.splice(5, 0, { line: 'other', at: number(1), player: number(1), answered: {} }) }],
  'form: a round never ends': ['form', (c) => {
    const open = c.last('open', ofGame('blackjack'))
    const { balance } = c.lines.findLast(({ line, player, answered }) => player?.text === open.player.text && line !== 'kept' && answered.balance !== undefined).answered
    const more = parse(stringify(open))
    Object.assign(more, { at: c.lines.at(-1).at, asked: Object.fromEntries(Object.entries(open.asked).filter(([name]) => !name.startsWith('expected'))) })
    Object.assign(more.answered, { balance: plus(balance, -BigInt(open.answered.round.stake.text)) })
    Object.assign(more.answered.round, { id: 'another', createdAt: more.at })
    c.lines.splice(-1, 0, parse(stringify(more)))
  }],
  'selection: winners get no answer': ['selection', (c) => { c.lines = c.lines.flatMap((line) => (line.line === 'round' ? [winner(c, line), line] : [line])) }],
}

/** A coin flip that would have won at the nonce of a round, and got no answer. */
function winner(c, { at, player, answered: { round } }) {
  const play = (side) => recompute({ rules: 'coinflip/1', config: { side, flips: number(1) }, serverSeed: c.seedOf(round), clientSeed: round.clientSeed, nonce: BigInt(round.nonce.text) })
  const side = play('heads').multiplier.text === '0' ? 'tails' : 'heads'
  const config = c.of('config', ({ asked }) => asked.gameType === 'coinflip').config
  return { line: 'unanswered', at, player, config, asked: { gameType: 'coinflip', config: { side }, token: round.token, wager: number(10000), key: 'k' } }
}

const replaced = (name, value) => (text) => text.replace(new RegExp(`^${name}: .*$`, 'm'), `${name}: ${value}`)

// What a house does whose signatures are good.
const SIGNED = {
  'refusal: it is not signed': ['refusal', (c) => { delete c.of('refused').answered.receipt }],
  'refusal: it is signed by another key': ['refusal', (c) => { const { receipt } = c.of('refused').answered; receipt.statement = receipt.statement.replace('epoch: 1', 'epoch: 2') }],
  'refusal: it is of another bet': ['refusal', (c) => { c.of('refused').asked.key = 'another' }],
  'refusal: it is of another wallet': ['refusal', (c) => c.refusal(replaced('wallet', 'another'))],
  'refusal: it is at another nonce': ['refusal', (c) => c.refusal(replaced('nonce', '999'))],
  'refusal: it has another code': ['refusal', (c) => { c.of('refused').answered.code = 'GAME_DISABLED' }],
  'refusal: another balance': ['refusal', (c) => c.refusal(replaced('balance', '1'))],
  'refusal: the bet could pay less': ['refusal', (c) => c.refusal(replaced('could-pay', '1'))],
  'refusal: it is of another time': ['refusal', (c) => c.refusal(replaced('time', '1795262400123'))],
  'limits: a refusal states others': ['limits', (c) => c.refusal(replaced('min-wager', '9999'))],
  'limits: others are shown than signed': ['limits', (c) => { c.last('limits').answered.paused = true }],
  'limits: they are not signed': ['limits', (c) => { delete c.last('limits').answered.receipt }],
  'receipt: there is none': ['receipt', (c) => { delete c.of('round').answered.receipt }],
  'receipt: its signature is another one': ['receipt', (c) => { c.of('round').answered.receipt.signature = signature('another text') }],
  'receipt: its leaf is another one': ['receipt', (c) => { c.of('round').answered.receipt.leaf.agentCode = 'another' }],
  'receipt: it is of something else': ['receipt', (c) => { Object.assign(c.of('round').answered, { seed: c.of('rotation').answered.seed, receipt: c.of('rotation').answered.receipt }) }],
  'receipt: two histories': ['receipt', (c) => {
    const { receipt } = c.of('step').answered
    receipt.text = receipt.text.replace(/^time: \d+/m, (time) => time.slice(0, -1) + ((Number(time.at(-1)) + 1) % 10))
    receipt.signature = signature(receipt.text)
  }],
  'receipt: the history changes': ['receipt', (c) => { c.of('kept').answered.round.outcome = null }, ['history', 'receipt']],
  'solvency: less is stated than owed': ['solvency', (c) => { c.lines.splice(-1, 0, owed(c, -1n)) }],
  'solvency: nothing is stated': ['solvency', (c) => { c.lines.splice(-1, 0, owed(c, null)) }],
  'solvency: the amount is not in the sum': ['solvency', (c) => { const line = owed(c, 0n); line.answered.proofs[0].available = plus(line.answered.proofs[0].available, 1); c.lines.splice(-1, 0, line) }],
  'solvency: another block': ['solvency', (c) => {
    const line = owed(c, 0n)
    line.answered.signed = signed(line.answered.signed.statement.replace(/^(head: .*:)[0-9a-f]{64}$/m, (_, place) => place + '0'.repeat(64)))
    c.lines.splice(-1, 0, line)
  }],
  'solvency: another wallet': ['solvency', (c) => { const line = owed(c, 0n); line.answered.wallet = 'another'; c.lines.splice(-1, 0, line) }],
}

const hash = (text) => createHash('sha256').update(text).digest('hex')

/** A solvency line as of player 1's first answer with a balance, which states the lesser balance of it and the next one, and more; null states nothing. */
function owed(c, more) {
  const { token, players } = c.lines[0].capture
  const shown = c.lines.filter((line) => line.player?.text === '1' && ['round', 'open', 'step'].includes(line.line)).slice(0, 2)
  const balances = shown.map(({ answered }) => BigInt(answered.balance.text))
  const { text } = shown[0].answered.receipt
  const [, ledger, header, lane, seq] = /^casino receipt 1\nledger: (.*)\n([^]*lane: (.*)\nseq: (.*)\n[^]*)$/.exec(text)
  const available = (balances[0] < balances[1] ? balances[0] : balances[1]) + (more ?? 0n)
  const owner = hash(`casino solvency owner 1\nwallet: ${players[0]}\nsalt: salt\n`)
  const leaf = hash(`casino solvency leaf 1\nowner: ${owner}\ntoken: ${token}\navailable: ${available}\nheld: 0\nstaked: 0\nunclaimed: 0\n`)
  const statement = `casino statement 1\npurpose: solvency\nledger: ${ledger}\nepoch: 1\ntime: ${shown[1].at.text}\nslot: unknown\nhead: ${lane}:${seq}:${hash(header)}\ntoken: ${token}\nroot: ${leaf}\nsum: ${available}\nleaves: 1\ntreasury: t\nholding: unknown\n`
  const proof = { token, index: number(0), available: number(available), held: number(0), staked: number(0), unclaimed: number(0), path: '' }
  return { line: 'solvency', at: c.lines.at(-1).at, player: number(1), answered: { signed: signed(statement), wallet: players[0], salt: 'salt', proofs: more === null ? [] : [proof] } }
}

async function checksOf(texts) {
  const { findings, leftOut } = await checkCapture(texts)
  return { checks: [...new Set(findings.map(({ check }) => check))].sort(), findings, leftOut }
}

const honest = read(process.argv[2])
const bases = [[resigned(honest), SIGNED], [unsigned(honest), UNSIGNED]]
for (const [base, plants] of bases) {
  const say = (name, want, { checks, findings }) => console.log(JSON.stringify({ name, want, found: checks, first: findings[0] }))
  say('honest', [], await checksOf(sealed(base)))
  for (const [name, [check, change, also = [check]]] of Object.entries(plants)) {
    const copy = new Copy(base)
    change(copy)
    say(name, also, await checksOf(sealed(copy.lines)))
  }
}

// The greatest multipliers, which have to be the published ones.
const wrong = honest.filter(({ line, answered }) => {
  const greatest = line === 'config' && answered ? greatestAtOnce(games.get(answered.rules), answered.config) : null
  return greatest !== null && !greatest.shownAs(answered.maxMultiplier) && !greatest.decimal.equals(answered.maxMultiplier)
})
console.log(JSON.stringify({ name: 'greatest multipliers', want: [], found: wrong.map(({ answered }) => stringify(answered.config)) }))

const withSolvency = new Copy(bases[0][0])
withSolvency.lines.splice(-1, 0, owed(withSolvency, 0n))
const texts = sealed(bases[1][0])
for (const [name, want, lines] of [
  ['honest with solvency', [], sealed(withSolvency.lines)],
  ['form: a line is changed', ['form'], texts.with(0, texts[0].replace('"symbol"', '"Symbol"'))],
  ['form: the end is missing', ['form'], texts.slice(0, -1)],
  ['form: a line after the end', ['form'], [...texts, texts[1]]],
  ['form: the beginning is missing', ['form'], texts.slice(1)],
  ['form: no JSON', ['form'], ['no JSON']],
]) {
  const { checks, findings } = await checksOf(lines)
  console.log(JSON.stringify({ name, want, found: checks, first: findings[0] }))
}
