import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { callersOf, deployedNames, describeProcess } from '@parley/processes/processes'
import { stopLimitSeconds } from '@parley/processes/stop'

/** File that this script writes. */
export const chartProcessesFile = fileURLToPath(new URL('../../../helm/parley/files/processes.json', import.meta.url))

/** `messaging-worker` → `messagingWorker`, the process's own group in values.yaml. */
const valuesKey = (name: string) => name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())

/** The registry of processes as the chart's templates read it. */
export function chartProcesses(): string {
  const processes = deployedNames.map((name) => {
    const { kind, folder, entry, migrate, ports, needs, calls, secrets } = describeProcess(name)
    return {
      name,
      values: valuesKey(name),
      kind,
      entry: `${folder}/${entry}`,
      ...(migrate && { migrate: `${folder}/${migrate}` }),
      ports,
      needs,
      calls,
      callers: callersOf(name),
      secrets,
    }
  })
  return `${JSON.stringify({ stopLimitSeconds, processes }, null, 2)}\n`
}

if (import.meta.main) {
  const before = readFileSync(chartProcessesFile, { encoding: 'utf8', flag: 'a+' })
  const text = chartProcesses()
  writeFileSync(chartProcessesFile, text)
  console.log(`helm/parley/files/processes.json ${before === text ? 'is up to date' : 'was written anew'}.`)
}
