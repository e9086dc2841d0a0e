import { Link } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { Logo } from '../../ui/logo.tsx'
import { contact } from './contact.ts'
import styles from './landing-footer.module.css'
import { SectionLink } from './section-link.tsx'
import type { sections } from './sections.ts'

interface FooterLink {
  readonly label: string
  /** A part of this page, a screen, or a mailbox. */
  readonly section?: keyof typeof sections
  readonly to?: string
}

const columns: readonly { name: string; links: readonly FooterLink[] }[] = [
  {
    name: 'Product',
    links: [
      { label: 'Features', section: 'features' },
      { label: 'Pricing', section: 'pricing' },
      { label: 'Demo', section: 'demo' },
      { label: 'Sign in', to: '/login' },
    ],
  },
  {
    name: 'Resources',
    links: [
      { label: 'Getting started', section: 'docs' },
      { label: 'Questions and answers', section: 'questions' },
      { label: 'Support', to: contact.support },
    ],
  },
  {
    name: 'Company',
    links: [
      { label: 'Security', section: 'trust' },
      { label: 'Contact', to: contact.hello },
      { label: 'Talk to sales', to: contact.sales },
      { label: 'Report a vulnerability', to: contact.security },
    ],
  },
]

/** The last call to act, and three columns of links that all lead somewhere. */
export function LandingFooter() {
  return (
    <>
      <section className={styles['call']} aria-labelledby="call-title">
        <h2 id="call-title">Answer your next customer with Parley</h2>
        <p>14-day free trial, no credit card needed</p>
        <ActionLink primary large to="/signup">
          Get Started
        </ActionLink>
      </section>
      <footer className={styles['footer']}>
        <div className={styles['inner']}>
          <div className={styles['brand']}>
            <Logo />
            <p>WhatsApp automation for businesses that like to answer.</p>
          </div>
          {columns.map(({ name, links }) => (
            <nav key={name} aria-label={name}>
              <h2>{name}</h2>
              <ul>
                {links.map(({ label, section, to = '' }) => (
                  <li key={label}>
                    {section ? <SectionLink to={section}>{label}</SectionLink> : <Link to={to}>{label}</Link>}
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <p className={styles['small']}>
          © {new Date().getFullYear()} Parley. WhatsApp is a trademark of its owner, who does not endorse Parley.
        </p>
      </footer>
    </>
  )
}
