import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { writtenPhone } from '@parley/phone'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { Copyable } from '../../ui/copyable.tsx'
import { Pill } from '../../ui/pill.tsx'
import table from '../../ui/table.module.css'
import { useIsMobile } from '../../ui/use-media.ts'
import {
  EarlierChats,
  type NumberActions,
  NumberButtons,
  NumberStatus,
  PhoneLink,
  Quality,
  Stopped,
  Verification,
} from './number-parts.tsx'
import styles from './numbers.module.css'

interface Props extends NumberActions {
  readonly numbers: readonly WhatsAppNumber[]
}

/** A table above 768 px, cards below. */
export function NumberList(props: Props) {
  return useIsMobile() ? <NumberCards {...props} /> : <NumberTable {...props} />
}

function NumberTable({ numbers, ...actions }: Props) {
  return (
    <div className={table['frame']}>
      <table className={table['table']}>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Status</th>
            <th scope="col">Verification</th>
            <th scope="col" className={`${table['number']} ${styles['narrow']}`}>
              Messages this month
            </th>
            <th scope="col">Quality rating</th>
            <th scope="col">Phone Number ID</th>
            <th scope="col">Business Account ID</th>
            <th scope="col" className={table['actions']}>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((number) => (
            <tr key={number.id}>
              <td className={styles['name']}>
                <DisplayName number={number} />
                <Phone number={number} />
                <PhoneLink phonePageUrl={number.phonePageUrl} />
                <Stopped stopped={number.stopped} />
                <EarlierChats history={number.history} />
              </td>
              <td>
                <NumberStatus status={number.status} />
              </td>
              <td>
                <Verification verificationStatus={number.verificationStatus} />
              </td>
              <td className={table['number']}>{formatCount(number.messagesThisMonth)}</td>
              <td>
                <Quality quality={number.quality} />
              </td>
              <td className={styles['id']}>
                <Copyable what="phone number ID" text={number.phoneNumberId} />
              </td>
              <td className={styles['id']}>
                <Copyable what="business account ID" text={number.businessAccountId} />
              </td>
              <td className={table['actions']}>
                <NumberButtons number={number} {...actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NumberCards({ numbers, ...actions }: Props) {
  return (
    <ul className={cards['grid']}>
      {numbers.map((number) => (
        <li key={number.id} className={cards['card']}>
          <div className={styles['cardHead']}>
            <DisplayName number={number} />
            <Phone number={number} />
          </div>
          <PhoneLink phonePageUrl={number.phonePageUrl} />
          <Stopped stopped={number.stopped} />
          <EarlierChats history={number.history} />
          <dl className={styles['facts']}>
            <Fact name="Status">
              <NumberStatus status={number.status} />
            </Fact>
            <Fact name="Verification">
              <Verification verificationStatus={number.verificationStatus} />
            </Fact>
            <Fact name="Messages this month">{formatCount(number.messagesThisMonth)}</Fact>
            <Fact name="Quality rating">
              <Quality quality={number.quality} />
            </Fact>
            <Fact wide name="Phone Number ID">
              <Copyable what="phone number ID" text={number.phoneNumberId} />
            </Fact>
            <Fact wide name="Business Account ID">
              <Copyable what="business account ID" text={number.businessAccountId} />
            </Fact>
          </dl>
          <div className={styles['foot']}>
            <NumberButtons number={number} words {...actions} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: React.ReactNode }) {
  return (
    <div className={wide ? styles['wide'] : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function DisplayName({ number: { displayName, isDefault, simulated } }: { number: WhatsAppNumber }) {
  return (
    <span className={styles['displayName']}>
      <b dir="auto" title={displayName}>
        {displayName}
      </b>
      {isDefault && <Pill colour="green">Default</Pill>}
      {simulated && <Pill colour="violet">Simulated</Pill>}
    </span>
  )
}

function Phone({ number: { phoneNumber } }: { number: WhatsAppNumber }) {
  return (
    <span className={styles['phone']}>
      <Copyable what="phone number" text={phoneNumber} shown={writtenPhone(phoneNumber)} />
    </span>
  )
}
