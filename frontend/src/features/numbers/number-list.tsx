import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { writtenPhone } from '@parley/phone'
import { formatCount } from '../../lib/format.ts'
import cards from '../../ui/cards.module.css'
import { Copyable } from '../../ui/copyable.tsx'
import { Pill } from '../../ui/pill.tsx'
import { type Column, RecordTable } from '../../ui/record-table.tsx'
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

const columns: readonly Column<WhatsAppNumber>[] = [
  {
    heading: 'Number',
    className: styles['name'],
    cell: (number) => (
      <>
        <DisplayName number={number} />
        <Phone number={number} />
        <PhoneLink phonePageUrl={number.phonePageUrl} />
        <Stopped stopped={number.stopped} />
        <EarlierChats history={number.history} />
      </>
    ),
  },
  { heading: 'Status', cell: ({ status }) => <NumberStatus status={status} /> },
  {
    heading: 'Verification',
    cell: ({ verificationStatus }) => <Verification verificationStatus={verificationStatus} />,
  },
  {
    heading: 'Messages this month',
    isNumber: true,
    headingClass: styles['narrow'],
    cell: ({ messagesThisMonth }) => formatCount(messagesThisMonth),
  },
  { heading: 'Quality rating', cell: ({ quality }) => <Quality quality={quality} /> },
  {
    heading: 'Phone Number ID',
    className: styles['id'],
    cell: ({ phoneNumberId }) => <Copyable what="phone number ID" text={phoneNumberId} />,
  },
  {
    heading: 'Business Account ID',
    className: styles['id'],
    cell: ({ businessAccountId }) => <Copyable what="business account ID" text={businessAccountId} />,
  },
]

/** A table above 768 px, cards below. */
export function NumberList({ numbers, ...actions }: Props) {
  if (useIsMobile()) return <NumberCards numbers={numbers} {...actions} />
  return (
    <RecordTable
      records={numbers}
      columns={columns}
      actions={(number) => <NumberButtons number={number} {...actions} />}
    />
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
