// Node 22.18 is the first that runs TypeScript without a flag. npm scripts find Node 24 in node_modules/.bin on Linux.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

export function requireNode() {
  var parts = process.versions.node.split('.').map(Number)
  if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
    console.error(
      'Parley needs Node 22.18 or newer, and this is ' +
        process.version +
        '. Type: npm ci && npm start' +
        ' (npm brings Node 24 on Linux), or install Node 24 from https://nodejs.org and try again.',
    )
    process.exitCode = 1
    return false
  }
  if (!existsSync(new URL('../../node_modules/zod', import.meta.url))) {
    console.error('The packages of Parley are not installed. Type: npm ci')
    process.exitCode = 1
    return false
  }
  module.enableCompileCache(fileURLToPath(new URL('../../.parley/compile-cache', import.meta.url)))
  return true
}
