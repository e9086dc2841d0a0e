import type { RefObject } from 'react'
import { Glyph } from '../glyph.tsx'
import { customer, type DemoState } from './demo-script.ts'
import { DemoThread } from './demo-thread.tsx'
import styles from './inbox-demo.module.css'
import { Initials } from './initials.tsx'
import type { Demo } from './use-demo.ts'

/**
 * The product as a live miniature. It is markup, not a picture: it follows the theme, scales with the text and can be
 * read out. New messages are announced only after the visitor asked for the demo.
 */
export function InboxDemo({ demo, asked, ref }: { demo: Demo; asked: boolean; ref: RefObject<HTMLElement | null> }) {
  const { state, playing, finished, toggle } = demo
  return (
    <section ref={ref} id="demo" tabIndex={-1} className={styles['window']} aria-label="Demo of the Parley inbox">
      <header className={styles['bar']}>
        <span className={styles['title']}>Inbox</span>
        <button type="button" className={styles['control']} onClick={toggle}>
          <Glyph name={playing ? 'pause' : finished ? 'replay' : 'play'} />
          {playing ? 'Pause demo' : finished ? 'Replay demo' : 'Play demo'}
        </button>
      </header>
      <div className={styles['panes']}>
        <ConversationList state={state} />
        <DemoThread state={state} announce={asked && playing} />
        <Details state={state} />
      </div>
    </section>
  )
}

function ConversationList({ state }: { state: DemoState }) {
  const last = state.messages.at(-1)
  const rows = [
    { id: 'open', name: customer.name, text: last?.text ?? 'No messages yet', time: last?.time ?? '', unread: 0 },
    ...state.others,
  ]
  return (
    <ul className={styles['list']} aria-label="Conversations">
      {rows.map(({ id, name, text, time, unread }) => (
        <li key={id} className={styles['row']} data-open={id === 'open' || undefined}>
          <Initials name={name} />
          <span className={styles['rowText']}>
            <span className={styles['rowTop']}>
              <span className={styles['name']}>{name}</span>
              <span className={styles['time']}>{time}</span>
            </span>
            <span className={styles['rowTop']}>
              <span className={styles['snippet']}>{text}</span>
              {unread > 0 && (
                <span className={styles['unread']}>
                  {unread}
                  <span className="visually-hidden"> unread</span>
                </span>
              )}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Details({ state }: { state: DemoState }) {
  return (
    <dl className={styles['details']}>
      <dt>Assigned to</dt>
      <dd>
        <Initials name={state.assignee} small />
        {state.assignee}
      </dd>
      <dt>Phone</dt>
      <dd>{customer.phone}</dd>
      <dt>Tags</dt>
      <dd>
        {state.tags.map((tag) => (
          <span key={tag} className={styles['tag']}>
            {tag}
          </span>
        ))}
      </dd>
      <dt>Service window</dt>
      <dd>
        <span className={styles['dot']} aria-hidden="true" />
        Open for 23 h 58 min
      </dd>
    </dl>
  )
}
