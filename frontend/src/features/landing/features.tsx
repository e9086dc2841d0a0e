import type { ReactNode } from 'react'
import { AnalyticsVisual, CampaignVisual, ContactsVisual } from './feature-visuals.tsx'
import { BuilderVisual, TemplateVisual, WorkflowVisual } from './feature-visuals-flow.tsx'
import styles from './features.module.css'
import shared from './landing.module.css'
import { sections } from './sections.ts'

const features: readonly { name: string; text: string; visual: ReactNode }[] = [
  {
    name: 'Visual Chatbot Builder',
    text: 'Draw a conversation from triggers, actions, conditions and delays, and try it before customers meet it.',
    visual: <BuilderVisual />,
  },
  {
    name: 'Broadcast Campaigns',
    text: 'Send an approved template to a chosen audience, now or later, and watch every delivery as it happens.',
    visual: <CampaignVisual />,
  },
  {
    name: 'Real-time Analytics',
    text: 'See what was sent, received and answered this week, and which campaigns and bots worked best.',
    visual: <AnalyticsVisual />,
  },
  {
    name: 'Contact Management',
    text: 'Keep every customer in one place, sorted by tags and segments that stay up to date.',
    visual: <ContactsVisual />,
  },
  {
    name: 'Template Manager',
    text: 'Write templates with placeholders, follow their approval, and reuse them in campaigns and bots.',
    visual: <TemplateVisual />,
  },
  {
    name: 'Workflow Automation',
    text: 'Let an event trigger the next steps: tag, assign, reply or wait, without a line of code.',
    visual: <WorkflowVisual />,
  },
]

/** The six things that Parley does, each with a small picture in markup. */
export function Features() {
  return (
    <section id={sections.features} tabIndex={-1} className={shared['section']} aria-labelledby="features-title">
      <div className={shared['heading']}>
        <h2 id="features-title">One place for the whole conversation</h2>
        <p>From the first hello to the thousandth reply, with the same people, the same rules and the same numbers.</p>
      </div>
      <ul className={styles['grid']}>
        {features.map(({ name, text, visual }) => (
          <li key={name} className={styles['card']}>
            <div className={styles['visual']} aria-hidden="true">
              {visual}
            </div>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
