import { callersOf, describeProcess, type ProcessName, processNames, urlVariable } from '@parley/processes/processes'
import { type Component, componentNames, type Environment, type StackContext } from '../component.ts'
import { portOf } from '../ports.ts'
import { jwksUrl, processOrigin, publicOrigin } from './addresses.ts'
import { respondsOk } from './health.ts'
import { wantsKeycloak } from './keycloak.ts'
import { mongodbUrl, withDatabase } from './mongodb.ts'
import { nodeEnvironment, nodeProgram } from './node-program.ts'
import { prepareProcess, settingsOf, standInData } from './process-settings.ts'
import { redisUrl } from './redis.ts'

/** Returns the port at which a debugger attaches under `npm run dev`; `.vscode/launch.json` names them. */
export const inspectPortOf = (name: ProcessName): number => 9230 + processNames.indexOf(name)

/** A process of ours, wired as the registry describes it. */
export function processComponent(name: ProcessName, context: StackContext): Component {
  const { label, kind, folder, entry, ports, needs } = describeProcess(name)
  const env = {
    ...nodeEnvironment(context, portOf(name, 'http')),
    ...wiring(name, context),
    ...settingsOf(name, context),
  }
  // It is ready once the provider has answered, and the first start of a Keycloak takes longer than it is given.
  const waitsForProvider = wantsKeycloak(context.environment)
  return {
    name,
    label,
    kind: kind === 'stand-in' ? 'stand-in' : 'Parley',
    address: name === 'bff' ? publicOrigin(context) : processOrigin(context, name),
    dataAt: dataOf(name, context),
    needs: componentNames.filter(
      (component) =>
        needs.some((need) => need === component) && (component !== 'identity-provider' || waitsForProvider),
    ),
    env,
    local: nodeProgram({
      script: `${folder}/${entry}`,
      env,
      ports: ports.map((port) => portOf(name, port)),
      isHealthy: () => respondsOk(`${processOrigin(context, name)}/readyz`),
      inspectPort: context.pagePort === undefined ? undefined : inspectPortOf(name),
      before: () => prepareProcess(name, context),
    }),
  }
}

function dataOf(name: ProcessName, context: StackContext): string {
  const { kind, needs, databases } = describeProcess(name)
  if (kind === 'stand-in') return standInData(context, name)
  if (databases.length > 0) return `MongoDB, database ${databases}`
  return needs.includes('redis') ? 'Redis' : ''
}

/** The variables that follow from what a process needs, calls and is called by. */
function wiring(name: ProcessName, context: StackContext): Environment {
  const { ports, needs, databases, calls } = describeProcess(name)
  const [database] = databases
  const callers = callersOf(name)
  return {
    ...(ports.includes('management') && { MANAGEMENT_PORT: String(context.ports[portOf(name, 'management')]) }),
    ...(database && { MONGODB_URL: withDatabase(mongodbUrl(context), database) }),
    ...(needs.includes('redis') && { REDIS_URL: redisUrl(context) }),
    ...Object.fromEntries(calls.map((called) => [urlVariable(called), processOrigin(context, called)])),
    ...(calls.length > 0 && { INTERNAL_TOKEN_KEYS: context.secrets.tokenKeys[name] ?? '' }),
    ...(callers.length > 0 && {
      INTERNAL_ISSUERS: callers.map((caller) => `${caller}=${jwksUrl(context, caller)}`).join(','),
    }),
  }
}
