import type { Logger } from '@parley/service-kit/core/logger'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ContactsService } from '../contacts/contacts.service.ts'
import { createConsentRepository } from './consent.repository.ts'
import { createConsentService } from './consent.service.ts'
import { createConsentDownload } from './consent-download.ts'
import { createConsentSettings } from './consent-settings.service.ts'
import { createCustomerCommands } from './customer-commands.ts'

/** Wires what there is of consent. */
export function createConsent({
  mongo,
  cursors,
  box,
  contacts,
  transaction,
  send,
  logger,
}: {
  mongo: ServiceConnection
  cursors: PageCursors
  box: SecretBox
  contacts: Pick<ContactsService, 'read' | 'readMany' | 'shown' | 'saveConsent'>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  send: Parameters<typeof createCustomerCommands>[0]['send']
  logger: Logger
}) {
  const repository = createConsentRepository(mongo, cursors)
  const consentSettings = createConsentSettings({ consent: repository, box, transaction })
  return {
    consentSettings,
    consent: createConsentService({ consent: repository, contacts, settings: consentSettings, transaction }),
    consentDownload: createConsentDownload({ consent: repository, contacts }),
    customerCommands: createCustomerCommands({ settings: consentSettings, send, logger }),
  }
}
