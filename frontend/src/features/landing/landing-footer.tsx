import { AppLink } from '../../lib/navigation.ts'
import { ActionLink } from '../../ui/action.tsx'
import { Logo } from '../../ui/logo.tsx'
import { contact } from './contact.ts'
import styles from './landing-footer.module.css'
import { sections } from './sections.ts'

const columns = [
  {
    name: 'Product',
    links: [
      ['Features', `#${sections.features}`],
      ['Pricing', `#${sections.pricing}`],
      ['Demo', `#${sections.demo}`],
      ['Sign in', '/login'],
    ],
  },
  {
    name: 'Resources',
    links: [
      ['Getting started', `#${sections.docs}`],
      ['Questions and answers', `#${sections.questions}`],
      ['Support', contact.support],
    ],
  },
  {
    name: 'Company',
    links: [
      ['Security', `#${sections.trust}`],
      ['Contact', contact.hello],
      ['Talk to sales', contact.sales],
      ['Report a vulnerability', contact.security],
    ],
  },
] as const

/** The last call to act, and three columns of links that all lead somewhere. */
export function LandingFooter() {
  return (
    <>
      <div className={styles['call']}>
        <h2>Answer your next customer with Parley</h2>
        <p>14-day free trial, no credit card needed</p>
        <ActionLink primary large to="/signup">
          Get Started
        </ActionLink>
      </div>
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
                {links.map(([label, target]) => (
                  <li key={label}>
                    {target.startsWith('/') ? <AppLink to={target}>{label}</AppLink> : <a href={target}>{label}</a>}
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
