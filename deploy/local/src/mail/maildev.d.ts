declare module 'maildev' {
  interface MailDevOptions {
    smtp: number
    web: number
    ip: string
    mailDirectory: string
  }
  /** Starts the SMTP server and the web page; stops by itself on SIGTERM. */
  export default function startMailDev(options: MailDevOptions): unknown
}
