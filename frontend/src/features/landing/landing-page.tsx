import { Features } from './features.tsx'
import { GetStarted } from './get-started.tsx'
import { Hero } from './hero.tsx'
import styles from './landing.module.css'
import { LandingFooter } from './landing-footer.tsx'
import { LandingHeader } from './landing-header.tsx'
import { Pricing } from './pricing.tsx'
import { Questions } from './questions.tsx'
import { Trust } from './trust.tsx'

/** The public front page. It ships without antd. */
export function LandingPage() {
  return (
    <div className={styles['page']}>
      <LandingHeader />
      <main>
        <Hero />
        <Features />
        <Trust />
        <Pricing />
        <GetStarted />
        <Questions />
      </main>
      <LandingFooter />
    </div>
  )
}
