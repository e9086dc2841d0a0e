// Node 22.18 is the first that runs TypeScript without a flag. npm scripts find Node 24 in node_modules/.bin on Linux.
import { readFileSync } from 'node:fs'
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
  var missing = missingPackages(readLock('../../package-lock.json'), readLock('../../node_modules/.package-lock.json'))
  if (missing.length > 0) {
    console.error(
      (missing.length > 20
        ? 'The packages of Parley are not installed.'
        : 'Packages are not installed that Parley needs: ' + missing.join(', ') + '.') + ' Type: npm ci',
    )
    process.exitCode = 1
    return false
  }
  module.enableCompileCache(fileURLToPath(new URL('../../.parley/compile-cache', import.meta.url)))
  return true
}

/**
 * Names the packages that the lock has and the folder has not, as after an update without `npm ci`. Packages for other machines may
 * be absent.
 */
export function missingPackages(wanted, installed) {
  return Object.keys(wanted)
    .filter((path) => path.startsWith('node_modules/') && !wanted[path].optional && !installed[path])
    .map((path) => path.slice('node_modules/'.length))
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).packages
  } catch {
    return {}
  }
}
