import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'

/**
 * `none`: never loaded. `loading`, `clearing`: under way. `loaded`: its records are among the workspace's own, marked as sample.
 * `cleared`: they are gone again.
 */
const sampleDataStates = ['none', 'loading', 'loaded', 'clearing', 'cleared'] as const
export const sampleDataStateSchema = z.object({ state: z.enum(sampleDataStates) })
export type SampleDataState = z.infer<typeof sampleDataStateSchema>

export const sampleDataApi = {
  state: defineEndpoint({
    operation: 'sampleData.state',
    method: 'GET',
    path: '/api/sample-data',
    access: 'session',
    permission: 'member',
    summary: 'Whether the workspace has sample data.',
    status: 200,
    response: sampleDataStateSchema,
    errors: [],
  }),
  load: defineEndpoint({
    operation: 'sampleData.load',
    method: 'POST',
    path: '/api/sample-data/load',
    access: 'session',
    permission: 'workspace:write',
    summary:
      'Adds the sample data: numbers, contacts and conversations of an imaginary shop. No effect where it is loaded. After five seconds the response is sent and loading continues.',
    status: 200,
    response: sampleDataStateSchema,
    errors: [],
  }),
  clear: defineEndpoint({
    operation: 'sampleData.clear',
    method: 'DELETE',
    path: '/api/sample-data',
    access: 'session',
    permission: 'workspace:write',
    summary:
      'Removes the sample data. Records that people added stay, and so do conversations with messages since. After five seconds the response is sent and removal continues.',
    status: 200,
    response: sampleDataStateSchema,
    errors: [],
  }),
}
