import type { AttributeType } from '@parley/contracts/contacts/contact-attributes'

export const typeNames: Readonly<Record<AttributeType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  choice: 'Choice',
  yes_no: 'Yes or no',
}
