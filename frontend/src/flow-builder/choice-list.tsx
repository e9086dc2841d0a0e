import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Input } from 'antd'
import { type Control, useController } from 'react-hook-form'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'

interface Choice {
  readonly id: string
  readonly title: string
  readonly description?: string
}

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'object' && value !== null && 'id' in value && 'title' in value && typeof value.title === 'string'

/** Edits the customer's choices: the buttons or rows of a node. Each is a branch of its own. */
export function ChoiceList({
  control,
  name,
  word,
  most,
  titleLength,
  described = false,
}: {
  control: Control<NodeFormValues>
  name: 'choices' | 'rows'
  /** `Button` */
  word: string
  most: number
  titleLength: number
  described?: boolean
}) {
  const { field } = useController({ control, name: `settings.${name}` })
  const choices = Array.isArray(field.value) ? field.value.filter(isChoice) : []
  const change = (id: string, patch: Partial<Choice>) =>
    field.onChange(choices.map((choice) => (choice.id === id ? { ...choice, ...patch } : choice)))
  return (
    <fieldset className={styles['choices']}>
      <legend>{`${word}s`}</legend>
      {choices.map(({ id, title, description = '' }, index) => (
        <div key={id} className={styles['choice']}>
          <Input
            aria-label={`${word} ${index + 1}`}
            value={title}
            maxLength={titleLength}
            dir="auto"
            {...(title.trim() === '' && { status: 'error' as const, 'aria-invalid': true as const })}
            onChange={({ target }) => change(id, { title: target.value })}
          />
          <IconButton
            label={`Remove ${word.toLowerCase()} ${index + 1}`}
            disabled={choices.length === 1}
            onClick={() => field.onChange(choices.filter((choice) => choice.id !== id))}
          >
            <DeleteOutlined aria-hidden />
          </IconButton>
          {described && (
            <Input
              aria-label={`Description of ${word.toLowerCase()} ${index + 1}`}
              placeholder="Description (optional)"
              value={description}
              maxLength={72}
              dir="auto"
              onChange={({ target }) => change(id, { description: target.value })}
            />
          )}
        </div>
      ))}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={choices.length >= most}
        onClick={() => field.onChange([...choices, { id: crypto.randomUUID().slice(0, 8), title: '' }])}
      >
        Add {word.toLowerCase()}
      </Button>
    </fieldset>
  )
}
