def install_when_loaded(player):
    pass
