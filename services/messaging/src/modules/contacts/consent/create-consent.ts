import type { Logger } from '@parley/service-kit/core/logger'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { MemberFactsService } from '../../../platform/member-facts.ts'
import type { ContactsService } from '../contacts.service.ts'
import { createConsentRepository } from './consent.repository.ts'
import { createConsentService } from './consent.service.ts'
import { createConsentDownload } from './consent-download.ts'
import { createConsentSettings } from './consent-settings.service.ts'
import { createCustomerCommands } from './customer-commands.ts'
import { createListConsent } from './list-consent.ts'

/** Wires what is stored of consent, which needs nothing else. */
export function createConsentRecords({
  mongo,
  cursors,
  box,
  transaction,
}: {
  mongo: ServiceConnection
  cursors: PageCursors
  box: SecretBox
  transaction: RunInTransaction
}) {
  const repository = createConsentRepository(mongo, cursors)
  const settings = createConsentSettings({ consent: repository, box, transaction })
  return { repository, settings, lists: createListConsent({ consent: repository, settings }) }
}

/** Wires what there is of consent. */
export function createConsent({
  records: { repository, settings },
  contacts,
  transaction,
  lastSent,
  send,
  findMembers,
  logger,
}: {
  records: ReturnType<typeof createConsentRecords>
  contacts: Pick<ContactsService, 'read' | 'readMany' | 'shown' | 'saveConsent' | 'ofSamePhone'>
  transaction: RunInTransaction
  lastSent: Parameters<typeof createCustomerCommands>[0]['lastSent']
  send: Parameters<typeof createCustomerCommands>[0]['send']
  findMembers: MemberFactsService['find']
  logger: Logger
}) {
  return {
    consentSettings: settings,
    consent: createConsentService({ consent: repository, contacts, settings, transaction }),
    consentDownload: createConsentDownload({ consent: repository, contacts, findMembers }),
    customerCommands: createCustomerCommands({ settings, contacts, lastSent, send, logger }),
  }
}
