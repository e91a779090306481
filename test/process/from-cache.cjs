// Runs the bot that lies beside it in one file, with what an earlier life has compiled; the first that ends leaves that.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const v8 = require('node:v8')
const vm = require('node:vm')

const filename = join(__dirname, 'main.cjs')
const cache = join(__dirname, 'main.cache')
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
const script = new vm.Script(wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
if (!cachedData) {
  // V8 refuses what was compiled under other flags, so those of the bot are left out of this life.
  v8.setFlagsFromString = () => undefined
  process.once('exit', () => writeFileSync(cache, script.createCachedData()))
}
if (script.cachedDataRejected) throw new Error('what an earlier life has compiled is refused')
script.runInThisContext()({}, require, module, filename, __dirname)
// To optimise the HTTP parser takes half as long as a start, and a short life gains nothing from it.
v8.setFlagsFromString('--wasm-tiering-budget=2000000000')
