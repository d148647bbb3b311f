/** Times, durations and lists. */
export const UNITS = {
  'date.at': '{date} at {time}',
  'date.unknown': 'an unknown time',
  'duration.day': '{count, plural, one {# day} other {# days}}',
  'duration.hour': '{count, number} h',
  'duration.minute': '{count, number} min',
  'duration.second': '{count, number} s',
  'duration.instant': 'less than a second',
  'duration.a-few-seconds': 'a few seconds',
  'duration.about': 'about {duration}',
  'duration.days-in-words': '{count, plural, one {# day} other {# days}}',
  'duration.hours-in-words': '{count, plural, one {# hour} other {# hours}}',
  'duration.minutes-in-words': '{count, plural, one {# minute} other {# minutes}}',
  'duration.seconds-in-words': '{count, plural, one {# second} other {# seconds}}',
  'list.more': '{count, number} more',
  'list.and-more': '…and {count, number} more',
  'text.quoted': '“{text}”',
} as const;
