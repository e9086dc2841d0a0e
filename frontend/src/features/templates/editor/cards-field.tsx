import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { type Card, cardLimits } from '@parley/contracts/templates/template-cards'
import { Button, Checkbox, Select } from 'antd'
import { useId, useRef } from 'react'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { CardFields, cardButtonLabels } from './card-fields.tsx'
import styles from './editor.module.css'
import { useFinding } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'

const freshButtons = {
  quick_reply: { kind: 'quick_reply', text: '' },
  url: { kind: 'url', text: '', url: '' },
  phone: { kind: 'phone', text: '', phone: '' },
} as const satisfies Record<Card['buttons'][number]['kind'], Card['buttons'][number]>

/** A card with the same kinds of parts as another one, all empty. */
const freshCard = (like?: Card): Card => ({
  headerMedia: { kind: like?.headerMedia.kind ?? 'image' },
  body: '',
  buttons: (like?.buttons ?? [freshButtons.url]).map(({ kind }) => freshButtons[kind]),
})

/** Makes a carousel of a marketing template: the message, and cards below it in place of its other parts. */
export function CarouselChoice() {
  const { control, setValue, getValues } = useFormContext<TemplateFormValues>()
  /** Cards that were written before the box was unticked. */
  const kept = useRef<Card[]>(undefined)
  const [category, cards] = useWatch({ control, name: ['category', 'cards'] })
  if (category !== 'marketing' && !cards) return null
  return (
    <Checkbox
      checked={cards !== undefined}
      onChange={({ target }) => {
        const next = target.checked ? (kept.current ?? [freshCard(), freshCard()]) : undefined
        kept.current = getValues('cards')
        setValue('cards', next, { shouldDirty: true })
      }}
    >
      Carousel of cards
    </Checkbox>
  )
}

/** Edits the cards of a carousel; all have the same kinds of parts. */
export function CardsField() {
  const { control, getValues, setValue, formState } = useFormContext<TemplateFormValues>()
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'cards' })
  const id = useId()
  const finding = useFinding('cards')
  const problem = formState.errors.cards?.root?.message ?? formState.errors.cards?.message ?? finding
  const cards = () => getValues('cards') ?? []
  const shown = useWatch({ control, name: 'cards' }) ?? []
  const [first] = shown
  const latest = useRef(fields)
  latest.current = fields
  /** Sets the file of a card, which may have moved, or gone, while it was uploaded. */
  const setMedia = (fieldId: string, media: Card['headerMedia']) => {
    const place = latest.current.findIndex((field) => field.id === fieldId)
    if (place >= 0)
      setValue(`cards.${place}.headerMedia`, media, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  }
  /** Changes the buttons of each card; files that are being uploaded stay under way. */
  const changeButtons = (to: (buttons: Card['buttons']) => Card['buttons']) =>
    cards().forEach((card, place) => {
      setValue(`cards.${place}.buttons`, to(card.buttons), { shouldDirty: true })
    })
  return (
    <fieldset className={styles['group']} aria-describedby={problem && `${id}-problem`}>
      <legend>Cards</legend>
      <p className={styles['lead']}>
        {fields.length} of {cardLimits.max}, at least {cardLimits.min}. All have the same kinds of parts, which
        customers move sideways below the message. It has no header, footer or buttons of its own.
      </p>
      <div className={styles['account']}>
        <label htmlFor={`${id}-kind`}>Shown on each card</label>
        <Select
          id={`${id}-kind`}
          value={first?.headerMedia.kind ?? 'image'}
          options={[
            { value: 'image', label: 'Picture' },
            { value: 'video', label: 'Video' },
          ]}
          onChange={(kind: Card['headerMedia']['kind']) =>
            replace(cards().map((card) => ({ ...card, headerMedia: { kind } })))
          }
        />
      </div>
      <ol className={styles['buttons']}>
        {fields.map((field, index) => (
          <li key={field.id}>
            <CardFields
              index={index}
              buttons={shown[index]?.buttons ?? []}
              onMedia={(media) => setMedia(field.id, media)}
              onRemove={fields.length > cardLimits.min ? () => remove(index) : undefined}
              onRemoveButton={(place) => changeButtons((buttons) => buttons.filter((_, other) => other !== place))}
            />
          </li>
        ))}
      </ol>
      {problem && (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </p>
      )}
      <div className={styles['adders']}>
        <Button
          icon={<PlusOutlined aria-hidden />}
          disabled={fields.length >= cardLimits.max}
          onClick={() => append(freshCard(cards()[0]), { shouldFocus: false })}
        >
          Add card
        </Button>
        {(['quick_reply', 'url', 'phone'] as const).map((kind) => (
          <Button
            key={kind}
            icon={<PlusOutlined aria-hidden />}
            disabled={
              (first?.buttons.length ?? 0) >= cardLimits.buttons ||
              (kind === 'phone' && first?.buttons.some((button) => button.kind === kind) === true)
            }
            onClick={() => changeButtons((buttons) => [...buttons, freshButtons[kind]])}
          >
            {cardButtonLabels[kind]} on each card
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
