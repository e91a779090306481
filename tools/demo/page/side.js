import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/**
 * The column beside the phones, a separate screen on narrow displays: name, theme, language and panels.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   language: import('./texts.js').Language,
 *   theme: import('./theme.js').Theme,
 *   close: () => void,
 *   panels: HTMLElement[],
 * }} parts
 */
export function createSide({ t, language, theme, close, panels }) {
  const themeButton = button({ class: 'icon-button theme', onclick: toggleTheme })
  const other = new URL(location.href)
  if (language === 'fa') other.searchParams.set('lang', 'en')
  else other.searchParams.delete('lang')

  function drawTheme() {
    const label = theme.isDark() ? t.light : t.dark
    themeButton.setAttribute('aria-label', label)
    themeButton.title = label
    fill(themeButton, icon(theme.isDark() ? 'sun' : 'moon'))
  }

  function toggleTheme() {
    theme.toggle()
    drawTheme()
  }

  drawTheme()
  theme.onSystemChange(drawTheme)
  return h(
    'div',
    { class: 'side', role: 'complementary' },
    h(
      'div',
      { class: 'side-header' },
      h('img', { src: 'icon.svg', alt: '', width: 36, height: 36 }),
      h('p', { class: 'side-title' }, t.pageTitle),
      themeButton,
      h('a', { class: 'language', href: other.href, lang: language === 'fa' ? 'en' : 'fa' }, t.otherLanguage),
      button({ class: 'icon-button close-side', label: t.close, onclick: close }, icon('close')),
    ),
    h('p', { class: 'hint tagline' }, t.tagline),
    ...panels,
  )
}
