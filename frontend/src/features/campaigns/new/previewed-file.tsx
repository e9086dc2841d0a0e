import { isFileHeader, type RecipientFile } from '@parley/contracts/campaigns/recipient-files'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import { fileOfContact } from '@parley/flow/recipient-file'
import styles from './new-broadcast.module.css'
import { contactFields } from './variables.ts'

/** Returns the header of a message as a contact sees it: the file itself is fetched when the campaign is sent. */
export function previewedHeader(
  headerMedia: HeaderMedia | undefined,
  file: RecipientFile | undefined,
  contact: Contact | undefined,
): HeaderMedia | undefined {
  if (!file || !headerMedia || !isFileHeader(headerMedia.kind)) return headerMedia
  const found = contact && fileOfContact(file, contact)
  if (headerMedia.kind !== 'document' || typeof found !== 'object') return { kind: headerMedia.kind }
  return { kind: 'document', file: { mediaId: '', name: found.name, mimeType: '', sizeBytes: 0 } }
}

/** The address of a contact's own file, or the reason why the contact is left out. */
export function PreviewedFile({ file, contact }: { file: RecipientFile; contact: Contact }) {
  const found = fileOfContact(file, contact)
  if (typeof found === 'object')
    return (
      <p className={styles['fileAddress']}>
        File: <bdi>{found.address}</bdi>
      </p>
    )
  return (
    <p className={styles['fileAddress']} data-tone="warning" role="status">
      {found === 'missing'
        ? `${contact.name} is left out: a field of the address has no value.`
        : `${contact.name} is left out: their values make no https address.`}
    </p>
  )
}

/** Names where the files of recipients come from. */
export function fileSourceLabel(file: RecipientFile, defined: readonly Attribute[]): string {
  if (file.from === 'address') return file.address
  return contactFields([], defined).find(({ value }) => value === file.field)?.label ?? file.field
}
