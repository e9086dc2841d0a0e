import shared from './landing.module.css'
import styles from './questions.module.css'
import { sections } from './sections.ts'

const questions = [
  [
    'Do I need a credit card for the trial?',
    'No. The Free Trial costs nothing for 14 days and asks for no credit card: an email address or a Google account is enough.',
  ],
  [
    'Can I use the WhatsApp number I already have?',
    'Yes. You connect numbers of your own WhatsApp Business account, with their phone number ID, business account ID and access token.',
  ],
  [
    'How many people can work in one workspace?',
    'Two on Free Trial and Starter, five on Growth and ten on Pro. Everyone shares one inbox, and each conversation has one owner.',
  ],
  [
    'Is it a bot or a person that answers?',
    'Whichever you choose. A bot takes the questions you have taught it and hands over to a person when it is asked something else.',
  ],
] as const

/** Answers that people look for before they sign up. */
export function Questions() {
  return (
    <section id={sections.questions} tabIndex={-1} className={shared['section']} aria-labelledby="questions-title">
      <div className={shared['heading']}>
        <h2 id="questions-title">Questions and answers</h2>
      </div>
      <div className={styles['list']}>
        {questions.map(([question, answer]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
