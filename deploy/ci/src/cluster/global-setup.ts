import type { TestProject } from 'vitest/node'
import { startApiServer } from '../../offline/api-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly kubeconfig: string
  }
}

/** One API server for the whole run. It goes when the run ends, also when that is interrupted. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startApiServer()
  project.provide('kubeconfig', server.kubeconfig)
  return server.stop
}
