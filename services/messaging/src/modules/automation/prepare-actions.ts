import type { InternalAction } from '@parley/contracts/automation/internal-actions'
import { isSameTag } from '@parley/contracts/contacts/tags'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MemberFactsService } from '../../platform/member-facts.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { AttributesService } from '../contacts/attributes/attributes.service.ts'
import type { ConsentSettingsService } from '../contacts/consent/consent-settings.service.ts'
import type { ListConsent } from '../contacts/consent/list-consent.ts'
import type { ContactRecord } from '../contacts/contacts.service.ts'
import type { ConversationRecord } from '../inbox/conversations/conversations.service.ts'
import type { OutgoingService, PreparedSend } from '../inbox/messages/outgoing.service.ts'
import { consentRefusal } from '../outbound/sending/admit-send.ts'
import type { Forms } from '../templates/forms.ts'
import type { TemplatesService } from '../templates/templates.service.ts'

/** Refusal of one action: a result of that action, no error of the call. */
export interface Refusal {
  readonly code: string
  readonly message: string
}
/** Inputs that an action needs beside its transaction, or the reason why it is refused. */
export type Prepared =
  | { readonly refusal: Refusal }
  | { readonly send?: PreparedSend; readonly attribute?: { readonly name: string; readonly value: string | undefined } }

export interface ActionRequest {
  readonly conversationId?: string | undefined
  readonly contactId?: string | undefined
  readonly epoch?: number | undefined
  readonly by: { readonly kind: 'bot' | 'workflow'; readonly id: string; readonly runId: string }
  readonly chain: readonly string[]
  readonly actions: readonly InternalAction[]
}

interface Dependencies {
  readonly outgoing: Pick<OutgoingService, 'prepare'>
  readonly templates: Pick<TemplatesService, 'approved' | 'find'>
  readonly forms: Pick<Forms, 'whyNot'>
  readonly numbers: Pick<NumbersService, 'read'>
  readonly attributes: Pick<AttributesService, 'checked'>
  readonly members: Pick<MemberFactsService, 'check'>
  readonly ensureTags: (scope: WorkspaceScope, names: readonly string[]) => Promise<void>
  readonly consentSettings: Pick<ConsentSettingsService, 'needsOptIn'>
  readonly listConsent: Pick<ListConsent, 'suppressions'>
}

/** Reads and checks what actions need of others, before their transaction: that makes no outside call. */
export function createPrepareActions(deps: Dependencies) {
  /** @throws what says nothing about the action: `service_unavailable`. */
  return async (
    scope: WorkspaceScope,
    action: InternalAction,
    {
      by,
      conversation,
      contact,
    }: Pick<ActionRequest, 'by'> & {
      readonly conversation?: ConversationRecord | undefined
      readonly contact: ContactRecord
    },
  ): Promise<Prepared> => {
    try {
      switch (action.type) {
        case 'send': {
          const { content } = action
          if (content.type !== 'form') return { send: await prepareSend(content, action.key) }
          const { text, button, formId, screen, token } = content
          const message = await deps.forms.whyNot(scope, formId, (await accountId()) ?? '')
          if (message !== undefined) return { refusal: { code: 'form_unavailable', message } }
          const flow = { id: formId, ...(screen && { screen }), token }
          return { send: await prepareSend({ type: 'interactive', text, button, options: [], flow }, action.key) }
        }
        case 'send_template': {
          const { templateId, variables: values } = action
          const { category } = await deps.templates.find(scope, templateId)
          const refused = await consentOf(category)
          if (refused) return { refusal: refused }
          const content = await deps.templates.approved(scope, templateId, { values, accountId: await accountId() })
          return { send: await prepareSend(content, action.key) }
        }
        case 'set_attribute': {
          const { attribute: name, value } = action
          return { attribute: { name, value: (await deps.attributes.checked(scope, { [name]: value }))[name] } }
        }
        case 'add_tag':
          if (!contact.tags.some((known) => isSameTag(known, action.tag))) await deps.ensureTags(scope, [action.tag])
          return {}
        case 'assign':
          if (action.to.kind === 'member') await deps.members.check(scope, [action.to.memberId], 'to')
          return {}
        default:
          return {}
      }
    } catch (error) {
      return { refusal: refusalOf(error) }
    }

    async function accountId(): Promise<string | undefined> {
      return (await deps.numbers.read(scope, conversation?.numberId ?? ''))?.businessAccountId
    }

    function prepareSend(content: Parameters<typeof deps.outgoing.prepare>[2]['content'], clientId: string) {
      if (!conversation) throw errors.wrongState('Connect a WhatsApp number first: there is none to write from.')
      const cause = { kind: by.kind, id: by.id }
      // A bot answers; messages that a workflow sends by itself wait for answers.
      const priority = by.kind === 'bot' ? 0 : 1
      return deps.outgoing.prepare(scope, conversation.id, { content, clientId, cause, priority })
    }

    async function consentOf(category: Parameters<typeof consentRefusal>[0]): Promise<Refusal | undefined> {
      const isSuppressed = await deps.listConsent.suppressions(scope, [contact])
      const marketing = isSuppressed(contact, 'marketing') ? 'out' : contact.optIn.marketing
      const utility = isSuppressed(contact, 'utility') ? 'out' : (contact.utilityConsent?.value ?? 'unknown')
      const code = consentRefusal(category, { marketing, utility }, await deps.consentSettings.needsOptIn(scope))
      return code && { code, message: consentMessages[code] }
    }
  }
}

const consentMessages = {
  opted_out: 'The customer does not want such messages.',
  no_opt_in: 'The customer has not agreed to marketing.',
}

/** Returns why an action is refused. @throws the error itself where it says nothing about the action. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const message = Object.values(error.fields ?? {})[0] ?? error.message
  return { code: error.code, message: message.slice(0, 500) }
}
