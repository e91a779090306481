/** The options of every question, as many as it has. */
export const LABELS = ['هرگز', 'کمی', 'گاهی', 'بیشتر وقت‌ها', 'همیشه']
