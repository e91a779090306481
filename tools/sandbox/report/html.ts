import { styles } from './styles.ts'

/** A self-contained, printable, right-to-left page; `body` is HTML already. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="fa" dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main class="sheet">
${body}
<footer>
<p>این گزارش نمونه است و تشخیص بالینی نیست. درصدک می‌گوید از هر ۱۰۰ نفر چند نفر نمره‌ای پایین‌تر گرفته‌اند؛ نه بیشترش نشانهٔ برتری است، نه کمترش نشانهٔ کاستی. برای برداشت درست، آن را همراه روان‌شناس بخوانید.</p>
</footer>
</main>
</body>
</html>
`
}

/** The head of a report: its kind, its title, and facts as label and HTML value. */
export function header(kind: string, title: string, facts: readonly (readonly [string, string])[]): string {
  const items = facts.map(([label, value]) => `<div><dt>${escapeHtml(label)}</dt><dd>${value}</dd></div>`)
  return `<header>
<p class="kind">${escapeHtml(kind)}</p>
<h1>${escapeHtml(title)}</h1>
<dl class="facts">${items.join('')}</dl>
</header>`
}

/** Text that must keep its left-to-right order inside a Persian line. */
export function leftToRight(text: string): string {
  return `<bdi dir="ltr">${escapeHtml(text)}</bdi>`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
