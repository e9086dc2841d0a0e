import type { Endpoint } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FastifyInstance } from 'fastify'
import type { InboxService } from '../conversations/inbox.service.ts'
import type { createSeesFile } from '../conversations/sees-file.ts'
import type { VisibilityService } from './visibility.service.ts'

/** Operations that answer with contacts whoever's conversations they have, or change them. */
const aboutAllContacts: ReadonlySet<string> = new Set([
  'campaigns.explain',
  'campaigns.recipients',
  'contactJobs.cancel',
  'contactJobs.change',
  'contactJobs.list',
  'contactJobs.undo',
  'contacts.bulk',
  'contacts.create',
  'contacts.duplicates',
  'contacts.list',
  'contacts.merge',
  'contacts.mergeMany',
  'contacts.merged',
  'contacts.suggestedMerges',
  'contacts.undoMerge',
])

interface Dependencies {
  readonly visibility: Pick<VisibilityService, 'viewerOf'>
  readonly inbox: Pick<InboxService, 'requireVisible' | 'seesContact'> & {
    readonly seesFile: ReturnType<typeof createSeesFile>
  }
}

/**
 * Limits what agents see, where their workspace wants it, before any handler runs: what an address names must be theirs, and lists
 * filter by `ctx.viewer`. An endpoint below a conversation or a contact is limited without a line of its own.
 */
export function limitSight(scope: FastifyInstance, deps: Dependencies): void {
  scope.addHook('preHandler', async (request) => {
    const { caller, params, routeOptions } = request
    const { endpoint } = routeOptions.config
    if (caller?.kind !== 'user' || !endpoint) return
    const { sub: userId, role, wid: workspaceId } = caller.claims
    const viewer = await deps.visibility.viewerOf({ workspaceId, userId, role })
    if (viewer === undefined) return
    request.viewer = viewer
    await requireSight(endpoint, String(Object(params).id ?? ''), { workspaceId, viewer }, deps)
  })
}

async function requireSight(
  { operation, path }: Endpoint,
  id: string,
  scope: WorkspaceScope,
  { inbox: { requireVisible, seesContact, seesFile } }: Dependencies,
): Promise<void> {
  if (aboutAllContacts.has(operation))
    throw errors.forbidden(
      'Agents of this workspace see the contacts of their own conversations. Ask an owner or admin.',
    )
  // An id that is none is refused by the endpoint's own schema.
  if (!isId(id)) return
  if (path.startsWith('/api/conversations/:id')) await requireVisible(scope, id)
  if (path.startsWith('/api/contacts/:id') && !(await seesContact(scope, id)))
    throw errors.notFound('There is no such contact.')
  if (path.startsWith('/api/media/:id') && !(await seesFile(scope, id))) throw errors.notFound('There is no such file.')
}
