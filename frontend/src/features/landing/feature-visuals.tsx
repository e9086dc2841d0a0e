import styles from './feature-visuals.module.css'

/** A campaign on its way: name, status, progress and what came of it. */
export function CampaignVisual() {
  return (
    <div className={styles['stack']}>
      <div className={styles['line']}>
        <b>Summer sale</b>
        <span className={styles['status']} data-tone="info">
          Active
        </span>
      </div>
      <div className={styles['bar']}>
        <i style={{ inlineSize: '72%' }} />
      </div>
      <div className={styles['line']}>
        <span>1,800 of 2,500 sent</span>
        <span>98% delivered</span>
      </div>
    </div>
  )
}

const week = [
  ['Mon', 52, 38],
  ['Tue', 61, 44],
  ['Wed', 58, 49],
  ['Thu', 74, 52],
  ['Fri', 88, 67],
  ['Sat', 46, 30],
  ['Sun', 39, 26],
] as const

/** A week of sent and received messages. */
export function AnalyticsVisual() {
  return (
    <div className={styles['chart']}>
      {week.map(([day, sent, received]) => (
        <div key={day}>
          <span>
            <i data-series="sent" style={{ blockSize: `${sent}%` }} />
            <i data-series="received" style={{ blockSize: `${received}%` }} />
          </span>
          {day.charAt(0)}
        </div>
      ))}
    </div>
  )
}

const contacts = [
  ['Asha Verma', 'VIP'],
  ['Ravi Menon', 'Lead'],
  ['Meera Joshi', 'Customer'],
] as const

/** Contacts with their tags. */
export function ContactsVisual() {
  return (
    <div className={styles['rows']}>
      {contacts.map(([name, tag]) => (
        <div key={name} className={styles['line']}>
          <span className={styles['person']}>
            <i>{name.charAt(0)}</i>
            {name}
          </span>
          <span className={styles['pill']}>{tag}</span>
        </div>
      ))}
    </div>
  )
}
