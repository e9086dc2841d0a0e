import { Glyph } from '../glyph.tsx'
import { customer, type DemoMessage, type DemoState } from './demo-script.ts'
import styles from './inbox-demo.module.css'
import { Initials } from './initials.tsx'

const authors = { customer: customer.name, bot: 'Bot', agent: 'Priya Nair' } as const

/** The open conversation of the miniature. `announce` lets a screen reader follow it as it plays. */
export function DemoThread({ state, announce }: { state: DemoState; announce: boolean }) {
  return (
    <div className={styles['thread']}>
      <div className={styles['threadHead']}>
        <Initials name={customer.name} />
        <span className={styles['rowText']}>
          <span className={styles['name']}>{customer.name}</span>
          <span className={styles['time']}>Handled by {state.assignee}</span>
        </span>
      </div>
      <div className={styles['log']} role="log" aria-label="Messages" aria-live={announce ? 'polite' : 'off'}>
        {state.messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
        {state.typing && (
          <p className={styles['typing']} data-side={state.typing === 'customer' ? 'in' : 'out'}>
            {authors[state.typing]} is typing
            <span className={styles['dots']} aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
          </p>
        )}
      </div>
      <div className={styles['composer']} aria-hidden="true">
        <span>Write a message</span>
        <Glyph name="send" />
      </div>
    </div>
  )
}

function Bubble({ message: { author, text, time, tick } }: { message: DemoMessage }) {
  return (
    <div className={styles['bubble']} data-side={author === 'customer' ? 'in' : 'out'}>
      {author !== 'customer' && (
        <span className={styles['author']}>
          {author === 'bot' && <Glyph name="robot" />}
          {authors[author]}
        </span>
      )}
      <p>{text}</p>
      <span className={styles['meta']}>
        {time}
        {tick && (
          <span className={styles['ticks']} data-tick={tick} role="img" aria-label={tick}>
            <Glyph name="check" />
            {tick !== 'sent' && <Glyph name="check" />}
          </span>
        )}
      </span>
    </div>
  )
}
