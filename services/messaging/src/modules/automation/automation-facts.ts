import type { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import type { BusinessHours } from '@parley/contracts/inbox/opening-hours'
import type { SampleDataState } from '@parley/contracts/platform/sample-data'
import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import { unsendableReason } from '@parley/contracts/templates/unsendable'
import { errors } from '@parley/service-kit/core/errors'
import { readNamed } from '@parley/service-kit/data/event-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { AttributesService } from '../contacts/attributes/attributes.service.ts'
import type { ConsentSettingsService } from '../contacts/consent/consent-settings.service.ts'
import type { MessagesRepository } from '../inbox/messages/messages.service.ts'
import { writtenText } from '../inbox/messages/said-of.ts'
import type { Forms } from '../templates/forms.ts'
import type { TemplatesService } from '../templates/templates.service.ts'

const maxText = 10_000

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly messageRecords: Pick<MessagesRepository, 'read' | 'readMany'>
  readonly numbers: Pick<NumbersService, 'list'>
  readonly attributes: Pick<AttributesService, 'list'>
  readonly templates: Pick<TemplatesService, 'readMany'>
  readonly forms: Pick<Forms, 'named'>
  readonly openingHours: { readonly read: (scope: WorkspaceScope) => Promise<BusinessHours> }
  readonly consentSettings: Pick<ConsentSettingsService, 'read'>
  readonly sampleStates: {
    readonly read: (
      scope: WorkspaceScope,
    ) => PromiseLike<{ readonly state: SampleDataState['state']; readonly toldAt: Date } | null>
  }
}

/** Facts that automation asks for: whole texts, and what flows name. */
export const createAutomationFacts = ({
  mongo,
  messageRecords,
  numbers,
  attributes,
  templates,
  forms,
  consentSettings,
  openingHours,
  sampleStates,
}: Dependencies) => ({
  /** @throws `not_found` for a message that no customer has written, or that is erased. */
  textOf: async (scope: WorkspaceScope, id: string): Promise<{ text: string }> => {
    const message = isId(id) ? await messageRecords.read(scope, id) : null
    if (message?.direction !== 'inbound' || message.deletedAt) throw errors.notFound('There is no such message.')
    return { text: writtenText(message.content).slice(0, maxText) }
  },

  /** Events that runs took, and what is left of the messages in them: neither outlives its own retention and erasure. */
  eventsOf: async (
    scope: WorkspaceScope,
    ids: readonly string[],
  ): Promise<EndpointResponse<typeof messagingInternalApi.eventsOf>> => {
    const items = await readNamed(mongo, scope.workspaceId, [...new Set(ids)].filter(isId))
    const messageIds = items.flatMap((event) =>
      event.type === 'message.changed' && event.data.said ? event.data.messageId : [],
    )
    const messages = messageIds.length > 0 ? await messageRecords.readMany(scope, messageIds) : []
    return {
      items,
      texts: messages
        .filter(({ direction, deletedAt }) => direction === 'inbound' && !deletedAt)
        .map(({ id, content }) => ({ messageId: id, text: writtenText(content).slice(0, maxText) })),
    }
  },

  lookUp: async (
    scope: WorkspaceScope,
    { templateIds, formIds }: { templateIds: readonly string[]; formIds: readonly string[] },
  ): Promise<EndpointResponse<typeof messagingInternalApi.lookups>> => {
    const found = await templates.readMany(scope, [...new Set(templateIds.filter(isId))])
    const sample = await sampleStates.read(scope)
    const { stop, stopAll, start, ignored } = await consentSettings.read(scope)
    return {
      numbers: (await numbers.list(scope)).map(({ id, displayName: name, businessAccountId }) => ({
        id,
        name,
        businessAccountId,
      })),
      fields: await attributes.list(scope),
      templates: [...found.values()].map((template) => ({
        id: template.id,
        unsendable: template.status === 'approved' ? unsendableReason(template) : undefined,
        name: template.name,
        status: template.status,
        placeholders: templatePlaceholders(template),
        businessAccountId: template.businessAccountId,
        category: template.category,
      })),
      forms: await forms.named(scope, formIds),
      openingHours: await openingHours.read(scope),
      consentWords: { stop, stopAll, start, ignored },
      // A workspace that was checked has a record before anything was loaded.
      sampleData:
        sample && sample.state !== 'none'
          ? { state: sample.state, toldAt: sample.toldAt.toISOString() }
          : { state: 'none' },
    }
  },
})
