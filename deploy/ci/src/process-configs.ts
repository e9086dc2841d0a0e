import { join } from 'node:path'
import { configExport, describeProcess, type ProcessName, processNames } from '@parley/processes/processes'
import { z } from 'zod'
import { root } from './paths.ts'

const configModule = z.record(z.string(), z.unknown())
const schemaOfConfig = z.instanceof(z.ZodObject)

/** Returns the schema by which each process of the registry checks its environment. */
export async function configsOfProcesses(): Promise<Readonly<Record<ProcessName, z.ZodObject>>> {
  const entries = processNames.map(async (name) => {
    const file = join(root, describeProcess(name).folder, 'src/config.ts')
    return [name, schemaOfConfig.parse(configModule.parse(await import(file))[configExport(name)])] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<ProcessName, z.ZodObject>
}
