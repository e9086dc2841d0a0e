import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { type OutgoingCard, outgoingContentSchema, questionLimits } from '@parley/contracts/inbox/outgoing-content'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { FormDialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './template-dialog.module.css'

interface Option {
  readonly id: string
  readonly title: string
  readonly description: string
}

const newOption = (): Option => ({ id: crypto.randomUUID(), title: '', description: '' })

/** Composes a question with reply buttons, or with a list that a button opens. */
export function QuestionDialog({
  isList,
  onSend,
  onClose,
}: {
  isList: boolean
  onSend: (content: OutgoingCard) => void
  onClose: () => void
}) {
  const id = useId()
  const [text, setText] = useState('')
  const [button, setButton] = useState('Choose')
  const [footer, setFooter] = useState('')
  const [options, setOptions] = useState<readonly Option[]>(() => [newOption(), newOption()])
  const [tried, setTried] = useState(false)
  const max = isList ? questionLimits.rows : questionLimits.buttons
  const change = (optionId: string, patch: Partial<Option>) =>
    setOptions(options.map((option) => (option.id === optionId ? { ...option, ...patch } : option)))

  const parsed = outgoingContentSchema.safeParse({
    type: 'interactive',
    text,
    ...(isList ? { button } : footer.trim() !== '' && { footer }),
    options: options.map((option) => ({
      id: option.id,
      title: option.title,
      ...(isList && option.description.trim() !== '' && { description: option.description }),
    })),
  })
  const issues = (tried && parsed.error?.issues) || []
  const problems = new Map(issues.map(({ path, message }) => [path.join('.'), wordsFor(path, message)]))
  const submit = () => {
    setTried(true)
    if (parsed.data?.type !== 'interactive') return
    onSend(parsed.data)
    onClose()
  }

  const field = (name: string) => {
    const problem = problems.get(name)
    return {
      id: `${id}-${name}`,
      dir: 'auto' as const,
      ...(problem && {
        status: 'error' as const,
        'aria-invalid': true as const,
        'aria-describedby': `${id}-${name}-problem`,
      }),
    }
  }
  const told = (name: string) =>
    problems.has(name) && (
      <p id={`${id}-${name}-problem`} className={styles['error']} role="alert">
        {problems.get(name)}
      </p>
    )

  return (
    <FormDialog
      open
      title={isList ? 'Send a list of choices' : 'Send reply buttons'}
      lead={
        isList
          ? `The customer opens the list with its button and picks one of up to ${max}.`
          : `The customer answers with a tap on one of up to ${max} buttons.`
      }
      submitLabel="Send question"
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles['field']}>
        <label htmlFor={`${id}-text`}>Question</label>
        <Input.TextArea
          {...field('text')}
          autoSize={{ minRows: 2, maxRows: 6 }}
          maxLength={questionLimits.text}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {told('text')}
      </div>
      {options.map((option, index) => {
        const [titleField, detailField] = [`options.${index}.title`, `options.${index}.description`]
        const what = isList ? 'Choice' : 'Button'
        return (
          <div key={option.id} className={styles['field']}>
            <label htmlFor={`${id}-${titleField}`}>
              {what} {index + 1}
            </label>
            <div className={styles['option']}>
              <Input
                {...field(titleField)}
                maxLength={isList ? questionLimits.rowTitle : questionLimits.buttonTitle}
                showCount
                value={option.title}
                onChange={({ target }) => change(option.id, { title: target.value })}
              />
              <IconButton
                label={`Remove ${what.toLowerCase()} ${index + 1}`}
                disabled={options.length === 1}
                onClick={() => setOptions(options.filter((other) => other !== option))}
              >
                <CloseOutlined aria-hidden />
              </IconButton>
            </div>
            {told(titleField)}
            {isList && (
              <Input
                {...field(detailField)}
                size="small"
                aria-label={`Description of choice ${index + 1}`}
                placeholder="Description (optional)"
                maxLength={questionLimits.rowDescription}
                value={option.description}
                onChange={({ target }) => change(option.id, { description: target.value })}
              />
            )}
          </div>
        )
      })}
      {told('options')}
      {options.length < max && (
        <Button type="dashed" onClick={() => setOptions([...options, newOption()])}>
          {isList ? 'Add a choice' : 'Add a button'}
        </Button>
      )}
      {isList ? (
        <div className={styles['field']}>
          <label htmlFor={`${id}-button`}>Button that opens the list</label>
          <Input
            {...field('button')}
            maxLength={questionLimits.button}
            value={button}
            onChange={({ target }) => setButton(target.value)}
          />
          {told('button')}
        </div>
      ) : (
        <div className={styles['field']}>
          <label htmlFor={`${id}-footer`}>Small text below (optional)</label>
          <Input
            {...field('footer')}
            maxLength={questionLimits.footer}
            value={footer}
            onChange={({ target }) => setFooter(target.value)}
          />
          {told('footer')}
        </div>
      )}
    </FormDialog>
  )
}

/** Empty fields are the one thing that the schema says of in the words of a program. */
const wordsFor = (path: readonly PropertyKey[], message: string): string =>
  message.startsWith('Too small') ? (path.at(-1) === 'text' ? 'Enter the question.' : 'Enter a text.') : message
