import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
import type { NumbersService } from './numbers.service.ts'

export type NumberAccess = ReturnType<typeof createNumberAccess>

/** Returns how to call the platform for a number; `undefined` for one that is gone. */
export const createNumberAccess =
  ({ numbers, graphs }: { numbers: Pick<NumbersService, 'read' | 'tokenOf'>; graphs: GraphClients }) =>
  async (scope: WorkspaceScope, numberId: string) => {
    const number = await numbers.read(scope, numberId)
    if (!number) return undefined
    const { graphUrl, phoneNumberId } = number
    return { graph: graphs.of(graphUrl), phoneNumberId, accessToken: numbers.tokenOf(number).reveal() }
  }
