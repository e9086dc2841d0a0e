import { haveTwoAccounts, mergedContact, type Taken } from '@parley/contracts/contacts/contact-merge'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { writtenPhone } from '@parley/phone'
import { Radio } from 'antd'
import { attributeLabel, useAttributes } from '../../../lib/choices/attributes.ts'
import { ContactTags } from '../list/contact-row.tsx'
import styles from './merge-dialog.module.css'

/** Shows which values count where two contacts differ, and the result. */
export function MergePreview({
  kept,
  other,
  taken,
  onTake,
}: {
  kept: Contact
  other: Contact
  taken: Taken
  onTake: (taken: Taken) => void
}) {
  const defined = useAttributes()
  const after = mergedContact(kept, other, taken)
  const twoAccounts = haveTwoAccounts(kept, other)
  const attributes = Object.keys(kept.attributes).filter(
    (name) => other.attributes[name] !== undefined && other.attributes[name] !== kept.attributes[name],
  )
  const added = Object.entries(other.attributes).filter(([name]) => kept.attributes[name] === undefined)
  const hasDifferences = twoAccounts || kept.name !== other.name || attributes.length > 0
  return (
    <>
      {hasDifferences && (
        <fieldset className={styles['choices']}>
          <legend>Where they differ, keep</legend>
          {kept.name !== other.name && (
            <Choice
              label="Name"
              kept={kept.name}
              other={other.name}
              takesOther={taken.name}
              onChange={(name) => onTake({ ...taken, name })}
            />
          )}
          {twoAccounts && (
            <Choice
              label="WhatsApp"
              kept={accountText(kept)}
              other={accountText(other)}
              takesOther={taken.account}
              onChange={(account) => onTake({ ...taken, account })}
            />
          )}
          {attributes.map((name) => (
            <Choice
              key={name}
              label={attributeLabel(name, defined)}
              kept={kept.attributes[name] ?? ''}
              other={other.attributes[name] ?? ''}
              takesOther={taken.attributes.includes(name)}
              onChange={(takes) =>
                onTake({
                  ...taken,
                  attributes: [...taken.attributes.filter((one) => one !== name), ...(takes ? [name] : [])],
                })
              }
            />
          ))}
        </fieldset>
      )}
      <section className={styles['after']} aria-label="After merging">
        <h2>After merging</h2>
        <p>
          <b dir="auto">{after.name}</b> · <bdi>{accountText(after)}</bdi>
        </p>
        {after.tags.length > 0 && <ContactTags tags={after.tags} most={after.tags.length} />}
        <ul>
          {twoAccounts && (
            <li>
              <bdi>{accountText(taken.account ? kept : other)}</bdi> is removed. Anyone who writes from it becomes a new
              contact.
            </li>
          )}
          {added.map(([name, value]) => (
            <li key={name} dir="auto">
              {attributeLabel(name, defined)}: {value}
            </li>
          ))}
          {consentLine(kept, other)}
          {(kept.blocked || other.blocked) && <li>Blocked, as one of them is: nothing is sent.</li>}
        </ul>
      </section>
    </>
  )
}

/** An opt-out of either contact stays. */
function consentLine({ optIn: { marketing: consent } }: Contact, { optIn: { marketing: theirs } }: Contact) {
  if (consent === 'out' || theirs === 'out') return <li>Opted out of marketing, as one of them is.</li>
  if (consent === 'in' || theirs === 'in')
    return <li>Allows marketing{consent === theirs ? '' : ', as one of them does'}.</li>
  return undefined
}

export const accountText = ({ phone, username, waUserId }: Pick<Contact, 'phone' | 'username' | 'waUserId'>): string =>
  phone ? writtenPhone(phone) : username ? `@${username}` : (waUserId ?? '')

function Choice({
  label,
  kept,
  other,
  takesOther,
  onChange,
}: {
  label: string
  kept: string
  other: string
  takesOther: boolean
  onChange: (takesOther: boolean) => void
}) {
  return (
    <div className={styles['choice']}>
      <span className={styles['label']} dir="auto">
        {label}
      </span>
      <Radio.Group
        aria-label={label}
        className={styles['values'] ?? ''}
        value={takesOther ? 'other' : 'kept'}
        onChange={({ target }) => onChange(target.value === 'other')}
        options={[
          { value: 'kept', label: <bdi>{kept}</bdi> },
          { value: 'other', label: <bdi>{other}</bdi> },
        ]}
      />
    </div>
  )
}
