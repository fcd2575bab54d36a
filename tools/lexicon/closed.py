"""Words that no paradigm makes: pronouns and their compounds, particles, abbreviated names, forms that the lists get wrong."""

# ruff: noqa: SIM905 (words in a row are easier to read and to check than a list of strings)

from __future__ import annotations

from collections import defaultdict

_QUI = "qui quis quae quod quid cuius quoius cui quoi quem quam quo qua quorum quarum quibus queis quos quas".split()
# The likeliest first. Beside the pronouns: the conjunctions and adverbs quam, quo, qua, quod, quid, and quis from queo.
_QUI_LEMMATA = {
    "quam": "quam qui quis",
    "quo": "qui quo quis",
    "qua": "qui qua quis",
    "quod": "qui quod quis",
    "quid": "quis quid",
    "quis": "quis qui queo",
}

_DECLINED = {
    "hic": "hic haec hoc huius huic hunc hanc hac hi hae horum harum his hos has huiusce hosce hasce hisce hunce hance",
    "ille": "ille illa illud illius illi illum illam illo illae illorum illarum illis illos illas "
    "olli ollis ollos ollas olla ollum",
    "iste": "iste ista istud istius isti istum istam isto istae istorum istarum istis istos istas "
    "istuc istaec istunc istanc",
    "ipse": "ipse ipsa ipsum ipsius ipsi ipsam ipso ipsae ipsorum ipsarum ipsis ipsos ipsas ipsus",
    "is": "is ea id eius ei eum eam eo ii eae eorum earum iis eis eos eas",
    "idem": "idem eadem eiusdem eidem eundem eandem eodem iidem eaedem eorundem earundem isdem iisdem eisdem eosdem "
    "easdem eumdem eamdem",
    "ego": "ego mei mihi mi me mecum egomet mihimet memet meme med",
    "tu": "tu tui tibi te tecum tute tutemet temet tete ted",
    "nos": "nos nostrum nostri nobis nobiscum nosmet nobismet",
    "uos": "uos uestrum uestri uostrum uobis uobiscum uosmet uobismet",
    "sui": "sui sibi se sese secum semet sibimet sed",
    "qui": "quicum quocum quacum quibuscum",
    "aliquis": "aliquis aliqui aliquae aliqua aliquid aliquod alicuius alicui aliquem aliquam aliquo aliquorum "
    "aliquarum aliquibus aliquos aliquas",
    "nemo": "nemo neminis nemini neminem nemine",
    "uterque": "uterque utraque utrumque utriusque utrique utramque utroque utraeque utrorumque utrarumque utrisque "
    "utrosque utrasque",
    "plerique": "plerique pleraeque pleraque plerorumque plerarumque plerisque plerosque plerasque",
    "unusquisque": "unusquisque unaquaeque unumquodque unumquidque uniuscuiusque unicuique unumquemque unamquamque "
    "unoquoque unaquaque",
    "quisquis": "quisquis quidquid quicquid quemquem quoquo quaqua quodquod",
}

_COMPOUNDS = {
    "quidam": "dam",
    "quisque": "que",
    "quisquam": "quam",
    "quicumque": "cumque cunque",
    "quiuis": "uis",
    "quilibet": "libet lubet",
    "quispiam": "piam",
    "quisnam": "nam",
}
"""The pronouns of `qui` with a tail; quic- and quip- are quid- before quam and piam."""

# Other words that look like a pronoun, after it; a pronoun's form that is not here is nothing else.
_AFTER = {
    "eo": "ea eo eam eas is",
    "meus": "mi",
    "suus": "sui",
    "ego": "nos nobis nobiscum",  # UD and some dictionaries count them as forms of the singular
    "tu": "uos uobis uobiscum",
} | {
    adverb: adverb
    for adverb in (
        "hic hac hoc illa illo illi isto eadem eodem aliqua aliquam quaque quaqua utroque istuc olla quouis quolibet "
        "qualibet quanam quocumque quacumque"
    ).split()
}
# The same where the other word is the commoner one.
_BEFORE = {"meus": "mei", "tuus": "tui", "noster": "nostri nostrum", "uester": "uestri uestrum uostrum"} | {
    word: word for word in "sed quamquam aliquo quamuis quonam quoquo quoquam quaquam".split()
}

_FIXED = {
    # particles, which the lists give to rarer homographs (itaque to ito, bene to benus) or enter under several names
    **{word: word for word in "que ne ue itaque quoque bene etiam et o ah heu ut nam cum iam an at ad in non si".split()},
    "a": "ab ah", "ab": "ab", "abs": "ab", "e": "ex", "ex": "ex", "ac": "atque", "atque": "atque", "nec": "neque",
    "neque": "neque", "neu": "neue neu", "neue": "neue", "seu": "siue", "siue": "siue", "uti": "ut uti utor",
    "ni": "nisi ni", "haud": "haud", "haut": "haud", "hau": "haud", "quom": "cum", "ast": "at", "sine": "sine sino",
    "magis": "magis magnus magus",
    # a preposition or conjunction with -que, which the lists give to inquam and cos
    "inque": "in inquam", "cumque": "cumque cum",
    # sum and edo
    **dict.fromkeys("est es estis esse esset essem essent esto este estote".split(), "sum edo"),
    # Jupiter, gods, Danai
    **dict.fromkeys("iouis iouem ioui ioue iuppiter iupiter".split(), "iuppiter"),
    **dict.fromkeys("di dii diis".split(), "deus"), "dis": "deus dis diues",
    **dict.fromkeys("danai danaum danaorum danais danaos".split(), "danai danaus"), "latium": "latium latius",
    # both lists agree on the rarer word, or on a wrong one
    "oris": "os ora", "ora": "os ora oro", "uires": "uis uireo", "uiris": "uir uis uirus", "cano": "cano canus",
    "ducis": "dux duco", "age": "ago", "agite": "ago", "mare": "mare mas", "mari": "mare mas",
}  # fmt: skip

FURTHER = {
    "itaque": ["ita"],
    "quoque": ["quisque"],
    "quaeque": ["qui"],
    "quique": ["qui"],
    "a": ["aulus"],
    "sex": ["sextus"],
}
"""What a closed form is beside its lemmata, rarely: itaque, et ita; suo quoque loco; A. Gellius."""

PRAENOMINA = {
    "m": "marcus", "c": "gaius", "l": "lucius", "p": "publius", "q": "quintus", "t": "titus", "d": "decimus",
    "cn": "gnaeus", "ti": "tiberius", "tib": "tiberius", "k": "kaeso", "mam": "mamercus", "ap": "appius", "app": "appius",
    "sp": "spurius", "ser": "seruius",
}  # fmt: skip
"""Abbreviations and the names that they stand for in the first place; what else the sources say of them comes after."""


def closed() -> dict[str, tuple[str, ...]]:
    """Folded forms of the closed classes with all their lemmata, the likeliest first."""
    table: dict[str, list[str]] = defaultdict(list)
    for form in _QUI:
        table[form] += _QUI_LEMMATA.get(form, "qui quis").split()
        table[f"ec{form}"].append("ecquis")
        table[f"nescio{form}"].append("nescioquis")
    for lemma, forms in _DECLINED.items():
        for form in forms.split():
            table[form].append(lemma)
    for lemma, tails in _COMPOUNDS.items():
        for tail in tails.split():
            for stem in (*_QUI, *(["quic"] if tail == "quam" else ["quip"] if tail == "piam" else [])):
                table[_joined(stem, tail)].append(lemma)
    for lemma, forms in _AFTER.items():
        for form in forms.split():
            table[form].append(lemma)
    for lemma, forms in _BEFORE.items():
        for form in forms.split():
            table[form].insert(0, lemma)
    table |= {form: lemmata.split() for form, lemmata in _FIXED.items()}
    return {form: tuple(dict.fromkeys(lemmata)) for form, lemmata in table.items()}


def _joined(stem: str, tail: str) -> str:
    return (stem[:-1] + "n" if tail == "dam" and stem.endswith("m") else stem) + tail
