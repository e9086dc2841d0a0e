import { useRef, useState } from 'react'
import { ActionButton, ActionLink } from '../../ui/action.tsx'
import { InboxDemo } from './demo/inbox-demo.tsx'
import { useDemo } from './demo/use-demo.ts'
import { Glyph } from './glyph.tsx'
import styles from './hero.module.css'

/** Presents Parley, the two first steps, and the product itself playing below. */
export function Hero() {
  const demo = useDemo()
  const [asked, setAsked] = useState(false)
  const window = useRef<HTMLElement>(null)

  function watch() {
    setAsked(true)
    demo.replay()
    window.current?.focus({ preventScroll: true })
    window.current?.scrollIntoView({ block: 'start' })
  }

  return (
    <div className={styles['hero']}>
      <h1 className={styles['title']}>Every WhatsApp conversation, in one quiet inbox</h1>
      <p className={styles['lead']}>
        Parley answers routine questions with bots, hands the rest to your team, and sends campaigns that people are
        glad to receive.
      </p>
      <div className={styles['actions']}>
        <ActionLink primary large to="/dashboard">
          Start Free Trial
        </ActionLink>
        <ActionButton large onClick={watch}>
          <Glyph name="play" />
          Watch Demo
        </ActionButton>
      </div>
      <p className={styles['terms']}>14-day free trial, no credit card needed</p>
      <div className={styles['stage']}>
        <InboxDemo ref={window} demo={demo} asked={asked} />
      </div>
    </div>
  )
}
