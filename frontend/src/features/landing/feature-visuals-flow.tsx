import styles from './feature-visuals.module.css'
import { Glyph } from './glyph.tsx'

/** The sample flow: a keyword, a message, a check of the business hours. */
export function BuilderVisual() {
  return (
    <div className={styles['flow']}>
      <div className={styles['node']} data-kind="trigger">
        <Glyph name="lightning" />
        Keyword match
      </div>
      <div className={styles['node']} data-kind="action">
        <Glyph name="message" />
        Send message
      </div>
      <div className={styles['node']} data-kind="condition">
        <Glyph name="branch" />
        Business hours?
      </div>
    </div>
  )
}

/** A template as the customer will read it. */
export function TemplateVisual() {
  return (
    <div className={styles['stack']}>
      <div className={styles['line']}>
        <b>order_update</b>
        <span className={styles['status']} data-tone="success">
          Approved
        </span>
      </div>
      <div className={styles['message']}>
        Hi <mark>{'{{name}}'}</mark>, your order <mark>{'{{order}}'}</mark> is on its way.
      </div>
    </div>
  )
}

/** An event and the steps it starts. */
export function WorkflowVisual() {
  return (
    <ol className={styles['steps']}>
      <li>
        <span className={styles['mark']}>
          <Glyph name="lightning" />
        </span>
        Contact asks for a price
      </li>
      <li>
        <span className={styles['mark']}>
          <Glyph name="tag" />
        </span>
        Add tag <span className={styles['pill']}>Lead</span>
      </li>
      <li>
        <span className={styles['mark']}>
          <Glyph name="clock" />
        </span>
        Wait a day, then follow up
      </li>
    </ol>
  )
}
