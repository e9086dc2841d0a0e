import { attributeOf } from '@parley/contracts/contacts/contact-fields'
import type { Contact } from '@parley/contracts/contacts/contacts'
import type { FieldValue } from './conditions.ts'

type Values = Pick<
  Contact,
  'name' | 'tags' | 'attributes' | 'optIn' | 'source' | 'blocked' | 'createdAt' | 'lastContactAt'
> & { readonly phone?: string | undefined; readonly username?: string | undefined }

/** The values that conditions ask of a contact, by the name of the field. */
export function contactValues(contact: Values): (field: string) => FieldValue {
  const { name, phone, username, tags, source, blocked, optIn, createdAt, lastContactAt } = contact
  const contactFields: Record<string, FieldValue> = {
    name,
    phone,
    username,
    tags,
    source,
    blocked,
    marketing: optIn.marketing,
    createdAt,
    lastContactAt,
  }
  return (field) => {
    const attribute = attributeOf(field)
    const [values, wanted] = attribute === undefined ? [contactFields, field] : [contact.attributes, attribute]
    return Object.hasOwn(values, wanted) ? values[wanted] : undefined
  }
}
