import { Glyph } from './glyph.tsx'
import shared from './landing.module.css'
import { sections } from './sections.ts'
import styles from './trust.module.css'

const promises = [
  {
    icon: 'shield',
    name: 'Enterprise Security',
    text: 'Sign-in tokens stay on the server, every workspace is sealed off from the others, and access follows roles.',
  },
  {
    icon: 'lightning',
    name: 'Lightning Fast',
    text: '99.9% uptime, and an inbox that opens before you have put your coffee down.',
  },
  {
    icon: 'headset',
    name: '24/7 Support',
    text: 'People who know the product answer at any hour, every day of the year.',
  },
] as const

/** Lists what a business may rely on. */
export function Trust() {
  return (
    <section id={sections.trust} tabIndex={-1} className={styles['band']} aria-labelledby="trust-title">
      <div className={shared['section']}>
        <div className={shared['heading']}>
          <h2 id="trust-title">Built to be relied on</h2>
          <p>Your customers write at any time. Parley is there when they do.</p>
        </div>
        <ul className={styles['grid']}>
          {promises.map(({ icon, name, text }) => (
            <li key={name}>
              <span className={styles['icon']}>
                <Glyph name={icon} />
              </span>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
