import { deployedNames, describeProcess, type ProcessName, variablePrefix } from '@parley/processes/processes'
import { hostProcesses } from './core/run-process.ts'

/**
 * Runs every process of Parley in this one, for a small installation. A variable counts for all of them, and one that begins with
 * the name of a process (`MESSAGING_WORKER__PORT`) for that process alone.
 */
const prefixes = deployedNames.map(variablePrefix)

function environmentOf(name: ProcessName): NodeJS.ProcessEnv {
  const prefix = variablePrefix(name)
  const all = Object.entries(process.env)
  const shared = all.filter(([variable]) => !prefixes.some((other) => variable.startsWith(other)))
  const own = all.filter(([variable]) => variable.startsWith(prefix))
  return Object.fromEntries([...shared, ...own.map(([variable, value]) => [variable.slice(prefix.length), value])])
}

// The app starts last and stops first: what it calls is there as long as it is.
const names = deployedNames.toSorted((a, b) => Number(a === 'bff') - Number(b === 'bff'))
await hostProcesses(
  'one',
  names.map((name) => {
    const { folder, entry } = describeProcess(name)
    return { entry: new URL(`../../../${folder}/${entry}`, import.meta.url).href, environment: environmentOf(name) }
  }),
)
