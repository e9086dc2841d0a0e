import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { ScriptLine } from '@parley/flow/play-script'
import { variablesIn } from '@parley/flow/variables'
import { Button, Input } from 'antd'
import { useState } from 'react'
import styles from './test-chat.module.css'

interface Answer {
  readonly question: string
  readonly answer: string
}

const maxAnswers = 50

/** The form for which a test run waits, filled in by the tester: its screens are known to WhatsApp alone. */
export function FormAnswer({ flow, onAnswer }: { flow: DraftFlow; onAnswer: (line: ScriptLine) => void }) {
  const [answers, setAnswers] = useState<readonly Answer[]>(() => {
    const asked = questionsIn(flow)
    return (asked.length > 0 ? asked : ['']).map((question) => ({ question, answer: '' }))
  })
  const change = (at: number, part: Partial<Answer>) =>
    setAnswers(answers.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const given = answers
    .map(({ question, answer }) => ({ question: question.trim(), answer: answer.trim() }))
    .filter(({ question, answer }) => question !== '' && answer !== '')
  return (
    <form
      className={styles['call']}
      aria-label="Answers of the form"
      onSubmit={(event) => {
        event.preventDefault()
        onAnswer({ type: 'message', parts: [{ contentType: 'interactive', text: 'Sent', answers: given }] })
      }}
    >
      {answers.map(({ question, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
        <div key={index} className={styles['answer']}>
          <Input
            aria-label={`Question ${index + 1}`}
            placeholder="Question"
            value={question}
            maxLength={64}
            dir="auto"
            onChange={({ target }) => change(index, { question: target.value })}
          />
          <Input
            aria-label={`Answer ${index + 1}`}
            placeholder="Answer"
            value={answer}
            maxLength={1000}
            dir="auto"
            onChange={({ target }) => change(index, { answer: target.value })}
          />
        </div>
      ))}
      <div className={styles['callButtons']}>
        <Button htmlType="submit">Send the form</Button>
        <Button
          icon={<PlusOutlined aria-hidden />}
          disabled={answers.length >= maxAnswers}
          onClick={() => setAnswers([...answers, { question: '', answer: '' }])}
        >
          Add a question
        </Button>
      </div>
    </form>
  )
}

const sessionPrefix = 'session.'

/** Returns the questions whose answers the flow uses, but for those that its own nodes ask. */
function questionsIn({ nodes }: DraftFlow): string[] {
  const asked = new Set(nodes.map(({ settings }) => settings['attribute']))
  const used = nodes.flatMap(({ settings }) => variablesIn(JSON.stringify(settings)).map(({ name }) => name))
  const questions = used.flatMap((name) => (name.startsWith(sessionPrefix) ? name.slice(sessionPrefix.length) : []))
  return [...new Set(questions)].filter((question) => !asked.has(question)).slice(0, maxAnswers)
}
