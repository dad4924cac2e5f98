/** A tournament: its standings, what a player does there, and what its organiser does. */

import { gamesPath } from '../core/records.js';
import { isProjected, playerPath } from '../core/route.js';
import { asked } from '../net/ask.js';
import { h } from '../ui/dom.js';
import { field, form, toCopy } from './account_form.js';
import { button, icon, labelled, link } from './parts.js';
import { isClosed, isInRounds, lengthText, nextStep, pairingsCard, roundText } from './rounds.js';
import { aboutTournament, tournamentProblem } from './tournaments.js';

/**
 * @import {Context} from './context.js'
 * @import {Tournament, TournamentPlayer, Tournaments, TournamentsPage} from '../actions/tournaments.js'
 */

/** A start is counted down from so many minutes on. */
const SOON = 120;

/** So many letters of a name are shown in a choice. */
const LETTERS = 9;

/** So many of a player's last scores are shown. */
const SCORES = 12;

/** @param {Context} context */
export function tournamentPage(context) {
  const { state, t } = context;
  const { tournament, isLoading } = /** @type {TournamentsPage} */ (state.page);
  const isForAudience = isProjected(state.route);
  return h('main.records', { id: 'main', key: 'tournament', class: isForAudience ? 'projected' : '' },
    !tournament || tournament.code
      ? h('p.quiet-text', { key: 'about', role: 'status' }, isLoading ? t('game.loading') : t(tournament?.code === 'not_found' ? 'tournament.missing' : 'ratings.unavailable'))
      : [
        h('div.records-head', { key: 'head' }, h('h1', null, tournament.name), h('span.tournament-stage', null, stageText(context, tournament))),
        h('p.quiet-text', { key: 'about' }, [aboutTournament(context, tournament), tournament.organiser && t('tournament.by', { name: tournament.organiser })].filter(Boolean).join(' · ')),
        !isForAudience && playerCard(context, tournament),
        tournament.stage !== 'over' && pairingsCard(context, tournament),
        standingsCard(context, tournament),
        tournament.stage === 'over' && pairingsCard(context, tournament),
        !isInRounds(tournament) && boardsCard(context, tournament),
        waysOn(context, tournament, isForAudience),
        !isForAudience && tournament.organiser === state.me.name && state.me.account && organiserCard(context, tournament),
        !isForAudience && h('p.quiet-text', { key: 'how' }, t(`tournament.how.${tournament.format}`, { time: lengthText(t, tournament.wait_minutes) })),
      ]);
}

/** What came of the last request, beside the buttons for it. @param {Context} context @param {boolean} isOrganiser */
function organised({ state, t }, isOrganiser) {
  const { problem, done, asOrganiser } = /** @type {TournamentsPage} */ (state.page);
  if (isOrganiser !== (asOrganiser === true) || !(problem || done)) return null;
  return h('p', { key: 'outcome', class: problem ? 'account-problem' : 'quiet-text', role: 'status' }, problem ? tournamentProblem(problem, t) : t(done ?? ''));
}

/** @param {Context} context @param {Tournament} tournament */
function stageText({ t }, tournament) {
  const { stage, starts_ms: starts, ends_ms: ends } = tournament;
  const minutes = (/** @type {number} */ until) => Math.max(1, Math.ceil((until - Date.now()) / 60_000));
  if (stage === 'coming') return minutes(starts) > SOON ? t('tournaments.coming') : t('tournament.startsIn', { n: minutes(starts) });
  if (stage === 'running' && isInRounds(tournament)) return roundText(t, tournament);
  return stage === 'running' ? t('tournament.endsIn', { n: minutes(ends) }) : t(`tournament.${stage}`);
}

/** What a player can do. @param {Context} context @param {Tournament} tournament */
function playerCard(context, tournament) {
  const { state, t, act, records } = context;
  const { id, stage, entrants, by_invitation: isByInvitation, player } = tournament;
  const tournaments = /** @type {Tournaments} */ (records?.tournaments);
  if (stage === 'over') return null;
  if (entrants === 'bots') {
    const server = `${location.protocol.replace('http', 'ws')}//${location.host}`;
    const { invitation = '…' } = /** @type {TournamentsPage} */ (state.page);
    const code = isByInvitation ? ` --invitation ${invitation}` : '';
    return h('section.card.tournament-card', { key: 'take' }, h('p', null, t('tournament.botCommand')),
      toCopy(context, `CHECKERS_TOKEN=… checkers-bot --server ${server} --bot level:level=5 --quick --tournament ${id}${code} --games 0`));
  }
  if (!state.me.account) {
    return h('section.card.tournament-card', { key: 'take' }, h('p', null, t('tournament.needsAccount')), link('/account', t('nav.account'), act.go, { class: 'button primary' }));
  }
  const isIn = player != null && !player.left;
  if (!player && isClosed(tournament)) return h('p.quiet-text', { key: 'take' }, t('tournament.closed'));
  const known = state.route.query.invitation ?? /** @type {TournamentsPage} */ (state.page).invitation;
  if (!player && isByInvitation && !known) {
    return h('section.card.tournament-card', { key: 'take' }, form((fields) => { tournaments.enter(id, fields('invitation').trim()); },
      field('invitation', t('tournament.invitation'), { autocomplete: 'off', required: true, maxlength: '40' }),
      h('button.primary', { type: 'submit' }, t('tournament.enter'))), organised(context, false));
  }
  const isQueued = state.queue?.tournament === id;
  const waits = isInRounds(tournament) ? 'tournament.waitsForRound' : stage === 'running' ? 'lobby.queued' : 'tournament.waits';
  return h('section.card.tournament-take', { key: 'take' },
    isQueued && h('p.queued', { key: 'queued', role: 'status' }, h('span.spinner', { 'aria-hidden': 'true' }), t(waits)),
    stage === 'running' && isIn && nextStep(context, tournament),
    isQueued ? button(t('lobby.cancel'), act.cancelQuick, { key: 'cancel' })
      : button(t(isIn ? 'tournament.play' : 'tournament.enterAndPlay'), () => tournaments.play(id, known), { key: 'play', class: 'primary big', id: 'tournament-play' }),
    !isIn && stage === 'coming' && button(t('tournament.enter'), () => tournaments.enter(id, known), { key: 'enter', id: 'tournament-enter' }),
    isIn && !isQueued && button(t('tournament.leave'), () => tournaments.leave(id), { key: 'leave', class: 'quiet' }),
    organised(context, false));
}

/** @param {Context} context @param {Tournament} tournament */
function standingsCard(context, tournament) {
  const { t } = context;
  const { standings: players, player, games } = tournament;
  if (players.length === 0) return h('p', { key: 'standings' }, t('tournament.empty'));
  const isShown = player == null || players.some(({ name }) => name === player.name);
  return h('section.card', { key: 'standings', 'aria-labelledby': 'standings' },
    h('h2', { id: 'standings' }, t('tournament.standings'), h('span.count', null, t('games.count', { n: games }))),
    h('table.tally.best.standings', { 'aria-labelledby': 'standings' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('ratings.player')), h('th', { scope: 'col' }, t(isInRounds(tournament) ? 'tournament.byRound' : 'tournament.scores')), tournament.format !== 'knockout' && h('th', { scope: 'col' }, t('tournament.points')))),
      h('tbody', null, (isShown ? players : [...players, /** @type {TournamentPlayer} */ (player)]).map((one) => standingRow(context, one, tournament)))));
}

/** @param {Context} context @param {TournamentPlayer} player @param {Tournament} tournament */
function standingRow({ state, t, act }, { place, name, points, scores, streak, tie_breaks: breaks, left }, tournament) {
  const shown = scores.slice(-SCORES).map((score) => h('span', { class: Number(score) > 2 ? 'double' : '' }, score == null ? '–' : String(score)));
  const ties = isInRounds(tournament) ? t('tournament.tieBreaks', { list: breaks.join(' · ') }) : t('tournament.opponents', { n: breaks[0] ?? 0 });
  return h('tr', { key: name, class: name === state.me.name ? 'own' : left ? 'left' : '' },
    h('th', { scope: 'row' }, h('span.line-name', null, h('span.rank', null, `${place}. `), link(playerPath(name), name, act.go), left && h('span.quiet-text', null, t('tournament.left')))),
    h('td.scores', { key: 'scores' }, scores.length > SCORES && '… ', shown),
    tournament.format !== 'knockout' && h('td.points', { key: 'points', title: ties }, h('span.unseen', null, scores.length > 0 && ties), streak && h('span.streak', { title: t('tournament.streak') }, icon('bolt'), h('span.unseen', null, t('tournament.streak'))), String(points)));
}

/** @param {Context} context @param {Tournament} tournament */
function boardsCard({ t, act }, { running: games }) {
  return games.length > 0 && h('section.card', { key: 'running', 'aria-labelledby': 'running' },
    h('h2', { id: 'running' }, t('tournament.boards')),
    h('ul.tournament-list', null, games.map(({ table, white, black }) => h('li', { key: table }, link(`/g/${table}`, `${white} – ${black}`, act.go)))));
}

/** @param {Context} context @param {Tournament} tournament @param {boolean} isForAudience */
function waysOn({ t, act, state }, { id, event, games }, isForAudience) {
  const { invitation } = state.route.query;
  const here = `/tournament/${id}`;
  return h('nav.more-games', { key: 'ways', 'aria-label': t('tournament.more') },
    isForAudience ? link(here, t('tournament.normal'), act.go, { class: 'button', key: 'view' })
      : link(asked(here, { view: 'projector', invitation }), t('tournament.projector'), act.go, { class: 'button', key: 'view' }),
    !isForAudience && games > 0 && link(gamesPath({ event }), t('games.count', { n: games }), act.go, { class: 'button', key: 'games' }),
    !isForAudience && games > 0 && h('a.button', { key: 'pdn', href: asked('/api/games.pdn', { event }), download: `${event}.pdn` }, t('games.export')),
    !isForAudience && link('/tournaments', t('tournaments.title'), act.go, { class: 'button', key: 'all' }));
}

/** A name that leaves room for another one in a choice. @param {string} name */
function shortened(name) {
  const letters = [...name];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join('')}…` : name;
}

/** @param {Context} context @param {Tournament} tournament */
function organiserCard(context, tournament) {
  const { state, t, act, records, origin } = context;
  const { id, stage, pairings } = tournament;
  const tournaments = /** @type {Tournaments} */ (records?.tournaments);
  const { invitation, isEnding } = /** @type {TournamentsPage} */ (state.page);
  const address = `${origin}${asked(`/tournament/${id}`, { invitation })}`;
  return h('section.card.tournament-card', { key: 'organise', 'aria-labelledby': 'organise' },
    h('h2', { id: 'organise' }, t('tournament.organise')),
    stage !== 'over' && h('div.copy', { key: 'link' },
      h('input', { id: 'tournament-link', readonly: true, value: address, 'aria-label': t('tournament.link') }),
      button(t('game.copy'), () => act.copy(address), { class: 'primary' })),
    stage !== 'over' && h('div.account-choice', { key: 'stage' },
      stage === 'coming' && button(t('tournament.start'), () => tournaments.change(id, 'start'), { id: 'tournament-start' }),
      stage === 'paused' ? button(t('tournament.resume'), () => tournaments.change(id, 'resume'), { id: 'tournament-resume' })
        : stage === 'running' && button(t('tournament.pause'), () => tournaments.change(id, 'pause'), { id: 'tournament-pause' }),
      isEnding ? [t(isInRounds(tournament) ? 'tournament.sureRounds' : 'tournament.sure'), button(t('tournament.end'), () => tournaments.change(id, 'end'), { class: 'danger', id: 'tournament-end-yes' }), button(t('tournament.goOn'), () => tournaments.askToEnd(false))]
        : button(t('tournament.end'), () => tournaments.askToEnd(true), { id: 'tournament-end' })),
    form((fields) => { tournaments.remove(id, fields('player')); },
      field('player', t('tournament.removePlayer'), { autocomplete: 'off', required: true, maxlength: '40' }),
      h('button', { type: 'submit' }, t('tournament.remove'))),
    form((fields) => { tournaments.correct(id, fields('game'), fields('result')); },
      pairings ? labelled(t('tournament.game'), 'account-game', h('select', { id: 'account-game', name: 'game' }, pairings.boards.flatMap(({ white, black, games }, n) => games.map(({ game }, at) => h('option', { value: game, key: game }, `${n + 1}${games.length > 1 ? `.${at + 1}` : ''}. ${shortened(white)} – ${shortened(black ?? '')}`)))))
        : field('game', t('tournament.correctGame'), { autocomplete: 'off', required: true, maxlength: '120' }),
      labelled(t('games.result'), 'account-result', h('select', { id: 'account-result', name: 'result' },
        ['white_won', 'draw', 'black_won', 'void'].map((value) => h('option', { value }, t(value !== 'void' ? `result.${value}` : pairings ? 'tournament.noPoints' : 'tournament.void'))))),
      h('button', { type: 'submit' }, t('tournament.correct'))),
    organised(context, true));
}
