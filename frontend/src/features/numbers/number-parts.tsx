import ApiOutlined from '@ant-design/icons/ApiOutlined'
import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import ExclamationCircleOutlined from '@ant-design/icons/ExclamationCircleOutlined'
import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import SafetyCertificateOutlined from '@ant-design/icons/SafetyCertificateOutlined'
import SettingOutlined from '@ant-design/icons/SettingOutlined'
import type { WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { Button, Progress } from 'antd'
import { useId } from 'react'
import { Hint } from '../../ui/hint.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { historyLabels, notSent, qualityLabels, statusLabels, verificationLabels } from './number-labels.ts'
import styles from './numbers.module.css'

const qualityIcons = {
  high: CheckCircleOutlined,
  medium: ExclamationCircleOutlined,
  low: CloseCircleOutlined,
  unknown: QuestionCircleOutlined,
} as const

export function NumberStatus({ status }: Pick<WhatsAppNumber, 'status'>) {
  const { word, tone } = statusLabels[status]
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

export function Verification({ verificationStatus }: Pick<WhatsAppNumber, 'verificationStatus'>) {
  const { word, tone } = verificationLabels[verificationStatus]
  return (
    <StatusBadge
      tone={tone}
      {...(verificationStatus !== 'pending' && { icon: <SafetyCertificateOutlined aria-hidden /> })}
    >
      {word}
    </StatusBadge>
  )
}

/** Badge of word and icon; its meaning shows on hover and focus. */
export function Quality({ quality }: Pick<WhatsAppNumber, 'quality'>) {
  const { word, tone, meaning } = qualityLabels[quality]
  const Icon = qualityIcons[quality]
  return (
    <Hint text={meaning} className={styles['quality']} data-tone={tone}>
      <Icon aria-hidden /> {word}
    </Hint>
  )
}

/** Shows what is not sent from a number, why, and what to do. */
export function Stopped({ stopped }: Pick<WhatsAppNumber, 'stopped'>) {
  return (
    stopped && (
      <p className={styles['stopped']}>
        <b>{notSent[stopped.what]}</b> {stopped.reason} {stopped.advice}
      </p>
    )
  )
}

/** Shows the import progress of earlier chats, for a number that was used in the WhatsApp Business app. */
export function EarlierChats({ history }: Pick<WhatsAppNumber, 'history'>) {
  const id = useId()
  if (!history || history.state === 'done') return null
  if (history.state === 'declined') return <p className={styles['history']}>{historyLabels.declined}</p>
  return (
    <div className={styles['history']}>
      <span id={id}>{historyLabels.running}</span>
      <Progress aria-labelledby={id} percent={history.progress} size="small" status="active" />
    </div>
  )
}

/** The page on which a simulated number's customers write. */
export function PhoneLink({ phonePageUrl }: Pick<WhatsAppNumber, 'phonePageUrl'>) {
  return (
    phonePageUrl && (
      <a href={phonePageUrl} target="_blank" rel="noreferrer">
        Open the phone
      </a>
    )
  )
}

export interface NumberActions {
  readonly onConfigure: (number: WhatsAppNumber) => void
  readonly onCheck: (number: WhatsAppNumber) => void
  readonly onDelete: (number: WhatsAppNumber) => void
}

export function NumberButtons({ number, onConfigure, onCheck, onDelete, words = false }: ButtonsProps) {
  const { displayName } = number
  const buttons = [
    { word: 'Connection', label: `Connection of ${displayName}`, icon: <ApiOutlined aria-hidden />, act: onCheck },
    { word: 'Configure', label: `Configure ${displayName}`, icon: <SettingOutlined aria-hidden />, act: onConfigure },
    { word: 'Delete', label: `Delete ${displayName}`, icon: <DeleteOutlined aria-hidden />, act: onDelete },
  ]
  return (
    <span className={styles['buttons']}>
      {buttons.map(({ word, label, icon, act }) =>
        words ? (
          <Button key={word} icon={icon} aria-label={label} onClick={() => act(number)}>
            {word}
          </Button>
        ) : (
          <Tooltip key={word} text={word}>
            <IconButton label={label} onClick={() => act(number)}>
              {icon}
            </IconButton>
          </Tooltip>
        ),
      )}
    </span>
  )
}

interface ButtonsProps extends NumberActions {
  number: WhatsAppNumber
  /** Writes what each does beside its icon. */
  words?: boolean
}
