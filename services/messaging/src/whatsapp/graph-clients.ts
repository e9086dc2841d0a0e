import { createGraphClient, type GraphClient } from './graph-client.ts'
import type { ObserveGraph } from './measure-graph.ts'

/** One pool of connections for each Graph host: the real one, and each simulator. */
export function createGraphClients(observe?: ObserveGraph) {
  const clients = new Map<string, GraphClient>()
  return {
    of: (baseUrl: string): GraphClient => {
      const client = clients.get(baseUrl) ?? createGraphClient(baseUrl, observe && { observe })
      clients.set(baseUrl, client)
      return client
    },
    close: async (): Promise<void> => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}
export type GraphClients = ReturnType<typeof createGraphClients>
