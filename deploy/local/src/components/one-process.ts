import { memoryVariablesOfOne } from '@parley/processes/memory'
import { deployedNames, type ProcessName, variablePrefix } from '@parley/processes/processes'
import { type Component, componentNames, type Environment, type LocalProgram } from '../component.ts'

const host = 'bff'
const isDeployed = (component: Component): component is Component & { name: ProcessName; local: LocalProgram } =>
  deployedNames.some((name) => name === component.name) && component.local !== undefined

/**
 * Lets the app's program run every process of Parley that this launcher runs, at the addresses and with the environments that they
 * have alone.
 */
export function joinProcesses(components: readonly Component[]): Component[] {
  const parts = components.filter(isDeployed)
  const local: LocalProgram = {
    ports: parts.flatMap((part) => part.local.ports),
    startTimeoutMs: Math.max(...parts.map((part) => part.local.startTimeoutMs)),
    isHealthy: async () => {
      const answers = await Promise.all(parts.map((part) => part.local.isHealthy()))
      return answers.every((isHealthy) => isHealthy)
    },
    prepare: async () => {
      const commands = await Promise.all(parts.map(async (part) => (await part.local.prepare()).command))
      const [{ file, cwd } = { file: '', cwd: '' }] = commands
      const environments = commands.map(({ env }, at) => [parts[at]?.name ?? host, env] as const)
      const env = { ...joinEnvironments(environments), ...memoryVariablesOfOne }
      return { command: { file, args: ['packages/service-kit/src/one.ts'], cwd, env } }
    },
  }
  return components.map((component) => {
    if (!isDeployed(component)) return component
    const { local: _alone, ...rest } = component
    if (component.name !== host) return { ...rest, within: host }
    return { ...rest, local, needs: componentNames.filter((name) => parts.some(({ needs }) => needs.includes(name))) }
  })
}

/** Returns what all have in common under its name, and the rest under the name of its process. */
function joinEnvironments(environments: readonly (readonly [ProcessName, Environment])[]): Environment {
  const [[, first] = [host, {}]] = environments
  const shared = Object.entries(first).filter(([variable, value]) =>
    environments.every(([, env]) => env[variable] === value),
  )
  const own = environments.flatMap(([name, env]) =>
    Object.entries(env).map(([variable, value]) => [`${variablePrefix(name)}${variable}`, value]),
  )
  return Object.fromEntries([...shared, ...own])
}
