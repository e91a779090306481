// Runs the bot that lies beside it in one file, with what an earlier life has compiled; the first that ends leaves that.
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const vm = require('node:vm')

const filename = join(__dirname, 'main.cjs')
const cache = join(__dirname, 'main.cache')
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
const script = new vm.Script(wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData,
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
if (!cachedData) process.once('exit', () => writeFileSync(cache, script.createCachedData()))
script.runInThisContext()({}, require, module, filename, __dirname)
