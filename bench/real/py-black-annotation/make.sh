pip_tool black 20.8b1 click==8.0.4
cp "$(package wheel itsdangerous 2.1.2)/itsdangerous/signer.py" .
cat >>signer.py <<'END'


class Inspector:
    def __init__(self, signer: Signer) -> None:
        self.signer = signer

    @staticmethod
    def everything_known() -> (the_long_name_of_a_type_that_was_made_up_for_this_one_test_and_for_nothing):
        return None
END
