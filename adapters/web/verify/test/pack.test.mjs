import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'node:test'

const folder = fileURLToPath(new URL('..', import.meta.url))

// People install the output of `npm pack`: unpacked elsewhere, it must work alone.
test('the packed package needs nothing else', async (t) => {
  const at = mkdtempSync(join(tmpdir(), 'verify-'))
  t.after(() => rmSync(at, { recursive: true }))
  const npm = (...words) => execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = JSON.parse(npm('pack', '--ignore-scripts', '--json', '--pack-destination', at))
  const paths = packed.files.map((file) => file.path)
  const stray = paths.filter((path) => !['README.md', 'package.json'].includes(path) && !/^dist\/[a-z0-9/]+\.(js|d\.ts)$/.test(path))
  assert.deepEqual(stray, [])
  assert.ok(paths.includes('README.md'))

  execFileSync('tar', ['-xzf', packed.filename], { cwd: at })
  const manifest = JSON.parse(readFileSync(join(at, 'package', 'package.json'), 'utf8'))
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies']) {
    assert.equal(manifest[kind], undefined, kind)
  }
  for (const file of [manifest.exports['.'].types, manifest.exports['.'].default, manifest.bin['casino-verify']]) {
    assert.ok(paths.includes(file.replace(/^\.\//, '')), file)
  }
  const installed = join(at, 'node_modules', '@casino-service', 'verify')
  cpSync(join(at, 'package'), installed, { recursive: true })
  const own = Object.keys(await import(new URL('../dist/index.js', import.meta.url)))
  const theirs = execFileSync(process.execPath, ['--input-type=module', '-e', "console.log(JSON.stringify(Object.keys(await import('@casino-service/verify'))))"], { cwd: at, encoding: 'utf8' })
  assert.deepEqual(JSON.parse(theirs), own)
})
