import CaretDownFilled from '@ant-design/icons/CaretDownFilled'
import CaretUpFilled from '@ant-design/icons/CaretUpFilled'
import type { Contact, contactSorts } from '@parley/contracts/contacts'
import { Checkbox } from 'antd'
import { useRef } from 'react'
import table from '../../../ui/table.module.css'
import { useIsMobile, useMedia } from '../../../ui/use-media.ts'
import { isPicked, pageState } from '../selection.ts'
import type { ContactSelection } from '../use-selection.ts'
import styles from './contact-list.module.css'
import { ContactName, ContactPhone, ContactTags, LastContact, RowActions, type RowCommands } from './contact-row.tsx'
import { useListKeys } from './use-list-keys.ts'

type Sort = (typeof contactSorts)[number]

interface Props {
  contacts: readonly Contact[]
  selection: ContactSelection
  commands: RowCommands
  clock: { now: Date; timeZone: string }
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

function Table({ contacts, selection, commands, clock, sort, onSort, active }: Props & { active: number }) {
  // One line each: where the column is narrow, one tag stands for all.
  const isNarrow = useMedia('(max-width: 1279px)')
  return (
    <table className={`${table['table']} ${styles['table']}`} aria-label="Contacts">
      <thead>
        <tr>
          <th className={styles['pick']}>
            <PickPage contacts={contacts} selection={selection} />
          </th>
          <SortHead by="name" sort={sort} onSort={onSort}>
            Name
          </SortHead>
          <th>Phone</th>
          <th>Tags</th>
          <SortHead by="last_contact" sort={sort} onSort={onSort}>
            Last contact
          </SortHead>
          <th>
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
            <td className={styles['person']}>
              <ContactName contact={contact} onOpen={commands.onOpen} />
            </td>
            <td>
              <ContactPhone contact={contact} />
            </td>
            <td>
              <ContactTags tags={contact.tags} {...(isNarrow && { most: 1 })} />
            </td>
            <td className={table['quiet']}>
              <LastContact contact={contact} {...clock} />
            </td>
            <td className={table['actions']}>
              <RowActions contact={contact} {...commands} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SortHead({ by, sort, onSort, children }: Pick<Props, 'sort' | 'onSort'> & { by: Sort; children: string }) {
  const Icon = by === 'name' ? CaretUpFilled : CaretDownFilled
  const isSorted = sort === by
  return (
    <th aria-sort={isSorted ? (by === 'name' ? 'ascending' : 'descending') : undefined}>
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
