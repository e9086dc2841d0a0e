import { ActionLink } from '../../ui/action.tsx'
import { contact } from './contact.ts'
import styles from './get-started.module.css'
import shared from './landing.module.css'
import { sections } from './sections.ts'

const steps = [
  ['Create your account', 'With Google, or with an email address and a password of at least 6 characters.'],
  ['Confirm your email', 'Open the link that we send. The page you left open continues automatically.'],
  ['Complete your profile', 'Your name, a mobile number and your time zone, so that every time on screen is yours.'],
  ['Look around', 'Your dashboard opens with sample data, so nothing is empty while you find your way.'],
] as const

/** Target of Docs in the header: the way to the dashboard, and whom to ask. */
export function GetStarted() {
  return (
    <section id={sections.docs} tabIndex={-1} className={styles['band']} aria-labelledby="docs-title">
      <div className={`${shared['section']} ${styles['columns']}`}>
        <div className={styles['intro']}>
          <h2 id="docs-title">Getting started</h2>
          <p>Four steps, a few minutes, no installation.</p>
          <ActionLink primary to="/signup">
            Create your account
          </ActionLink>
          <p className={styles['help']}>
            Stuck on a step? <a href={contact.support}>Write to support</a>. For programs there is the{' '}
            <a href="/v1/docs">API reference</a>.
          </p>
        </div>
        <ol className={styles['steps']}>
          {steps.map(([name, text]) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
