import type { Conversation } from '@parley/contracts/inbox/conversations'
import { useQuery } from '@tanstack/react-query'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'
import styles from './composer.module.css'
import { contactOptions, contactValues } from './contact-variables.ts'

const variableLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  first_name: 'First name',
  phone: 'Phone number',
  username: 'Username',
}

/** Lists the contact's known values: a chosen one is put into the text. */
export function VariableChoices({
  contact,
  onChoose,
}: {
  contact: Conversation['contact']
  onChoose: (value: string) => void
}) {
  const attributes = useAttributes()
  const { data, isLoading } = useQuery(contactOptions(contact.id))
  const contactVariables = Object.entries(contactValues(contact)).map(([key, value]) => ({
    key,
    value,
    label: variableLabels[key] ?? key,
  }))
  const stored = Object.entries(data?.attributes ?? {}).map(([key, value]) => ({
    key: `attributes.${key}`,
    value,
    label: attributeLabel(key, attributes),
  }))
  return (
    <div className={styles['variables']}>
      {[...contactVariables, ...stored]
        .filter(({ value }) => value !== '')
        .map(({ key, label, value }) => (
          <button key={key} type="button" onClick={() => onChoose(value)}>
            <b>{label}</b>
            <span dir="auto">{value}</span>
          </button>
        ))}
      {isLoading && <p className={styles['hint']}>Loading...</p>}
    </div>
  )
}
