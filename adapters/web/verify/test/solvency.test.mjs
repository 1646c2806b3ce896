import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { Decimal, parse, StatementFault, verifySolvency } from '../dist/index.js'
import { readReceiptKeys } from '../dist/index.js'
import { orderDigest } from '../dist/orders.js'

const page = (name) => readFileSync(new URL(`../../../../docs/fairness/${name}.md`, import.meta.url), 'utf8')
const example = /```json\n(.*?)```/s.exec(page('solvency'))[1]
const [, kid, publicKey] = /The key is `([^:]*):([^`]*)`/.exec(page('solvency'))
const keys = readReceiptKeys(JSON.stringify({ keys: [{ use: 'receipts', kid, publicKey }] }))

test('the published example holds', async () => {
  const { wallet, time, owed } = await verifySolvency(parse(example), keys)
  assert.equal(wallet, '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs')
  assert.equal(time, 1795262404321n)
  assert.deepEqual(owed, [{ token: 'So11111111111111111111111111111111111111112', available: 52989797n, held: 13000n, staked: 0n, unclaimed: 0n }])
})

test('amounts may be decimal texts', async () => {
  await verifySolvency(parse(example.replace('"available": 52989797', '"available": "52989797"')), keys)
})

test('a changed file proves nothing', async () => {
  const path = /"path": "([^"]*)"/.exec(example)[1]
  for (const [from, to] of [
    ['sum: 1053030297', 'sum: 1053030298'],
    ['"wallet": "7', '"wallet": "8'],
    ['"salt": "8', '"salt": "9'],
    ['"index": 1', '"index": 2'],
    ['"index": 1', '"index": 3'],
    ['"available": 52989797', '"available": 52989798'],
    ['"available": 52989797', '"available": -1'],
    ['"held": 13000', '"held": 12999'],
    ['"staked": 0', '"staked": 9223372036854775807'],
    [path, path.slice(0, -4) + 'AAA='],
    [path, ''],
    ['"token": "So1', '"token": "So2'],
    ['"kid": "2026-01"', '"kid": "2026-02"'],
    ['"signature": "L', '"signature": "M'],
  ]) {
    const changed = example.replace(from, to)
    assert.notEqual(changed, example, from)
    await assert.rejects(verifySolvency(parse(changed), keys), StatementFault, `${from} → ${to}`)
  }
})

test('the published order has the published digest', () => {
  const text = page('refusals')
  const order = /order: ([0-9a-f]{64})/.exec(text)[1]
  const [, key, body] = /\nkey: (my key 1)\nbody: (\{.*\})\n/.exec(text)
  const sent = parse(body)
  assert.equal(orderDigest('/play', key, sent), order)
  assert.equal(orderDigest('/play', key, { wager: sent.wager, token: sent.token, gameType: sent.gameType, config: sent.config, expectedNonce: null }), order)
  assert.notEqual(orderDigest('/rounds', key, sent), order)
  assert.notEqual(orderDigest('/play', key, { ...sent, wager: Decimal.read('2000000000.0') }), order)
})
