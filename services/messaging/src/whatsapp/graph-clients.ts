import { createGraphClient, type GraphClient } from './graph-client.ts'

/** One pool of connections for each Graph host: the real one, and each simulator. */
export function createGraphClients() {
  const clients = new Map<string, GraphClient>()
  return {
    of: (baseUrl: string): GraphClient => {
      const client = clients.get(baseUrl) ?? createGraphClient(baseUrl)
      clients.set(baseUrl, client)
      return client
    },
    close: async (): Promise<void> => {
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}
export type GraphClients = ReturnType<typeof createGraphClients>
