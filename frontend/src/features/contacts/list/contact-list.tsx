import CaretDownFilled from '@ant-design/icons/CaretDownFilled'
import CaretUpFilled from '@ant-design/icons/CaretUpFilled'
import type { Attribute } from '@parley/contracts/contacts/contact-attributes'
import { contactFields } from '@parley/contracts/contacts/contact-fields'
import type { Contact, contactSorts } from '@parley/contracts/contacts/contacts'
import { Checkbox } from 'antd'
import { useRef } from 'react'
import { useAttributes } from '../../../lib/choices/attributes.ts'
import { shownValue } from '../../../ui/contact/attribute-value.ts'
import table from '../../../ui/table.module.css'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { useIsMobile, useMedia } from '../../../ui/use-media.ts'
import { isPicked, pageState } from '../selection.ts'
import type { ContactSelection } from '../use-selection.ts'
import type { Column } from './columns.ts'
import styles from './contact-list.module.css'
import { ContactName, ContactPhone, ContactTags, LastContact, RowActions, type RowCommands } from './contact-row.tsx'
import { useListKeys } from './use-list-keys.ts'

type Sort = (typeof contactSorts)[number]

interface Props {
  contacts: readonly Contact[]
  selection: ContactSelection
  commands: RowCommands
  clock: { now: Date; timeZone: string }
  columns: readonly Column[]
  sort: Sort
  onSort: (sort: Sort) => void
}

/** One page of contacts: a table above 768 px, cards below. */
export function ContactList(props: Props) {
  const list = useRef<HTMLDivElement>(null)
  const { contacts, selection, commands } = props
  const withContact = (act: (contact: Contact, range: boolean) => void) => (index: number, range: boolean) => {
    const contact = contacts[index]
    if (contact) act(contact, range)
  }
  const active = useListKeys(list, contacts.length, {
    open: withContact(commands.onOpen),
    edit: withContact(commands.onEdit),
    toggle: withContact(({ id }, range) => selection.toggle(id, range)),
  })
  const isMobile = useIsMobile()
  return (
    <div ref={list} className={isMobile ? '' : table['frame']}>
      {isMobile ? <Cards {...props} active={active} /> : <Table {...props} active={active} />}
    </div>
  )
}

function PickPage({ contacts, selection, children }: Pick<Props, 'contacts' | 'selection'> & { children?: string }) {
  const state = pageState(
    selection.picked,
    contacts.map(({ id }) => id),
  )
  return (
    <Checkbox
      aria-label={children ? undefined : 'Select all contacts on this page'}
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={selection.togglePage}
    >
      {children}
    </Checkbox>
  )
}

function Pick({ contact, selection }: { contact: Contact; selection: ContactSelection }) {
  return (
    <Checkbox
      aria-label={`Select ${contact.name}`}
      checked={isPicked(selection.picked, contact.id)}
      onChange={({ nativeEvent }) => selection.toggle(contact.id, nativeEvent.shiftKey)}
    />
  )
}

function Table({ contacts, selection, commands, columns, clock, sort, onSort, active }: Props & { active: number }) {
  // One line each: where the column is narrow, one tag stands for all.
  const isNarrow = useMedia('(max-width: 1279px)') || columns.length > 4
  // The segments stand beside the table.
  const isShared = useMedia('(min-width: 1400px) and (max-width: 1519px)')
  const defined = useAttributes()
  return (
    <table
      className={`${table['table']} ${styles['table']}`}
      data-many={columns.length > 4 || undefined}
      style={{ minWidth: minWidth(columns) }}
      aria-label="Contacts"
    >
      <thead>
        <tr>
          <th data-column="pick">
            <PickPage contacts={contacts} selection={selection} />
          </th>
          <SortHead by="name" sort={sort} onSort={onSort}>
            Name
          </SortHead>
          {columns.map(({ key, label }) =>
            sortBy[key] ? (
              <SortHead key={key} by={sortBy[key]} sort={sort} onSort={onSort}>
                {label}
              </SortHead>
            ) : (
              <th key={key} data-column={key} title={label}>
                {label}
              </th>
            ),
          )}
          <th data-column="actions">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact, index) => (
          <tr
            key={contact.id}
            data-row
            data-selected={isPicked(selection.picked, contact.id)}
            tabIndex={index === active ? 0 : -1}
          >
            <td>
              <Pick contact={contact} selection={selection} />
            </td>
            <td>
              <ContactName contact={contact} onOpen={commands.onOpen} />
            </td>
            {columns.map(({ key }) => (
              <td key={key} className={key === 'phone' || key === 'tags' ? '' : table['quiet']}>
                <Cell
                  column={key}
                  contact={contact}
                  clock={clock}
                  maxTags={isNarrow ? 1 : isShared ? 2 : 3}
                  defined={defined}
                />
              </td>
            ))}
            <td className={table['actions']}>
              <RowActions contact={contact} {...commands} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Returns the minimum width in pixels: each column is as wide as its content usually is. */
const minWidth = (columns: readonly Column[]): number =>
  Math.max(
    720,
    columns.reduce((sum, { key }) => sum + (key === 'phone' ? 172 : key === 'tags' ? 160 : 132), 380),
  )

const sortBy: Readonly<Record<string, Sort>> = { last: 'last_contact', added: 'newest' }
function Cell({
  column,
  contact,
  clock,
  maxTags,
  defined,
}: Pick<Props, 'clock'> & { column: string; contact: Contact; maxTags: number; defined: readonly Attribute[] }) {
  if (column === 'phone') return <ContactPhone contact={contact} />
  if (column === 'tags') return <ContactTags tags={contact.tags} most={maxTags} />
  if (column === 'last') return <LastContact contact={contact} {...clock} />
  if (column === 'added') return <Timestamp at={contact.createdAt} {...clock} />
  const name = column.replace(/^attributes\./, '')
  const type = defined.find((attribute) => attribute.name === name)?.type
  const text =
    column === 'marketing'
      ? contactFields.marketing.values[contact.optIn.marketing]
      : column === 'source'
        ? contactFields.source.values[contact.source]
        : shownValue(contact.attributes[name] ?? '', type)
  return (
    <span className={styles['value']} dir="auto" title={text}>
      {text}
    </span>
  )
}

function SortHead({ by, sort, onSort, children }: Pick<Props, 'sort' | 'onSort'> & { by: Sort; children: string }) {
  const column = Object.keys(sortBy).find((key) => sortBy[key] === by) ?? by
  const Icon = by === 'name' ? CaretUpFilled : CaretDownFilled
  const isSorted = sort === by
  return (
    <th data-column={column} aria-sort={isSorted ? (by === 'name' ? 'ascending' : 'descending') : undefined}>
      <button type="button" className={styles['sort']} data-sorted={isSorted} onClick={() => onSort(by)}>
        {children}
        <Icon aria-hidden />
      </button>
    </th>
  )
}

function Cards({ contacts, selection, commands, clock, active }: Props & { active: number }) {
  return (
    <>
      <div className={styles['pickPage']}>
        <PickPage contacts={contacts} selection={selection}>
          Select all on this page
        </PickPage>
      </div>
      <ul className={styles['cards']} aria-label="Contacts">
        {contacts.map((contact, index) => (
          <li
            key={contact.id}
            data-row
            data-selected={isPicked(selection.picked, contact.id)}
            className={styles['card']}
            tabIndex={index === active ? 0 : -1}
          >
            <Pick contact={contact} selection={selection} />
            <div className={styles['facts']}>
              <ContactName contact={contact} onOpen={commands.onOpen} />
              <span className={styles['line']}>
                <ContactPhone contact={contact} />
                <span className={styles['quiet']}>
                  <LastContact contact={contact} {...clock} />
                </span>
              </span>
              {contact.tags.length > 0 && <ContactTags tags={contact.tags} />}
            </div>
            <RowActions contact={contact} {...commands} />
          </li>
        ))}
      </ul>
    </>
  )
}
